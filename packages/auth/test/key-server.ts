import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

const path = '/realms/profile';

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  published: JWK;
}

/** An issuer on the wire, as far as keys go, whose every fetch is counted and can be held or spoiled. */
export interface KeyServer {
  /** Where it listens, without a path. */
  origin: string;
  issuer: string;
  /** How often the keys were asked for. */
  readonly fetches: number;
  /** Answers instead of the server from now on; undefined: it answers itself. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** The keys are read when they are asked for and sent when this is done. */
  hold: Promise<void> | undefined;
  /** Begins to sign with a new key; the old ones are no longer published unless `keepOld`. */
  rotate(keepOld?: boolean): Promise<void>;
  /** A token of the current key, or of none that is published where `header` names another `kid`. */
  sign(claims?: JWTPayload, header?: { kid?: string }): Promise<string>;
  /** Frees the port; `start` takes it again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** @param publicOrigin what the addresses in the answers and the issuer begin with; its own address unless told */
export async function startKeyServer(publicOrigin?: string): Promise<KeyServer> {
  let keys: SigningKey[] = [];
  let count = 0;
  const server = createServer((request, response) => void respond(request, response));
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const issuer = `${publicOrigin ?? origin}${path}`;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isKeys = request.url === `${path}/certs`;
    if (isKeys) count += 1;
    if (self.answer) return self.answer(request, response);
    const body = JSON.stringify(isKeys ? { keys: keys.map(({ published }) => published) } : { issuer, jwks_uri: `${issuer}/certs` });
    if (isKeys) await self.hold;
    response.setHeader('content-type', 'application/json').end(body);
  }

  const self: KeyServer = {
    origin,
    issuer,
    get fetches() {
      return count;
    },
    answer: undefined,
    hold: undefined,
    async rotate(keepOld = false) {
      const { privateKey, publicKey } = await generateKeyPair('ES256');
      const kid = crypto.randomUUID();
      const published = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
      keys = [{ kid, privateKey, published }, ...(keepOld ? keys : [])];
    },
    async sign(claims = {}, header = {}) {
      const [current] = keys;
      if (!current) throw new Error('There is no key');
      return new SignJWT({ iss: issuer, sub: 'a-person', typ: 'Bearer', jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: current.kid, ...header })
        .setExpirationTime('5m')
        .sign(current.privateKey);
    },
    start: () => listen(port),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  await self.rotate();
  return self;
}
