import pg from 'pg';

/** Identifies the backend of a connection in a cancel request. A pooler sends values of its own. */
interface BackendKey {
  readonly processID: number;
  readonly secretKey: number;
}

const keys = new WeakMap<pg.ClientBase, BackendKey>();

/** A client that keeps the key of its backend. */
export class BackendClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.connection.once('backendKeyData', (key: BackendKey) => keys.set(this, key));
  }
}

/** Returns the key of the backend. @param client a connected `BackendClient` */
export function backendKeyOf(client: pg.ClientBase): BackendKey {
  const key = keys.get(client);
  if (!key) throw new Error('The key of the backend is unknown');
  return key;
}
