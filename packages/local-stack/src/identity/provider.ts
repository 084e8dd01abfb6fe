import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { JWK, JWTPayload } from 'jose';
import { registerClients } from './clients.ts';
import { faultsWith, type Faults } from './faults.ts';
import { sendJson, serverError } from './http.ts';
import { KeyRing } from './keys.ts';
import type { IdentityProviderOptions } from './options.ts';
import type { Mail } from './pages/mail.ts';
import { Mailbox } from './pages/mailbox.ts';
import { ActionLinks } from './users/action-links.ts';
import { demoUsers } from './users/demo-users.ts';
import { seed } from './users/seed.ts';
import { person, type Person } from './users/user.ts';
import { UserStore } from './users/user-store.ts';
import type { Realm } from './realm.ts';
import { router } from './router.ts';

/** A running identity provider. It behaves like Keycloak 26.7 in everything that this service uses. */
export interface IdentityProvider {
  /** Base of all URLs; the admin client's `baseUrl`. */
  url: string;
  /** The issuer of its tokens: `<url>/realms/<realm>`. */
  realmUrl: string;
  realm: string;
  /** The page that shows the mails instead of sending them, newest first. Append `.json` for JSON. */
  mailboxUrl: string;
  /** The mails, oldest first. */
  readonly mails: readonly Mail[];
  /** Set its members to inject faults. */
  readonly faults: Faults;
  /** All users ordered by username, without service accounts. */
  users(): Person[];
  /**
   * Signs an access token with the current key. `claims` override iss, iat, exp and typ Bearer (undefined removes a claim),
   * and `header` overrides alg, typ and kid. `expiresIn` is in seconds and defaults to the lifespan of access tokens.
   */
  sign(claims: JWTPayload, options?: { header?: Record<string, unknown>; expiresIn?: number }): Promise<string>;
  /** Signs with a new key from now on, the given private JWK or a generated one. Tokens of older keys still verify. */
  rotateKey(key?: JWK): Promise<void>;
  /** Removes all keys except the current one. */
  removeOldKeys(): Promise<void>;
  /** Closes every connection and frees the port. */
  stop(): Promise<void>;
}

/** Starts the identity provider. Rejects if the port is taken or the configuration is invalid. */
export async function startIdentityProvider(options: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  const { dataDir, realm: name = 'profile' } = options;
  const clients = registerClients(options.clients ?? []);
  const users = new UserStore(dataDir);
  seed(users, options.users ?? [], name, clients.values());
  const keys = await KeyRing.open(dataDir, options.keys);
  const stores = { users, keys, mailbox: new Mailbox(dataDir), links: new ActionLinks(dataDir) };
  const server = createServer();
  const port = await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');
  const publicUrl = (options.publicUrl ?? `http://localhost:${port}`).replace(/\/$/, '');
  const realm: Realm = {
    name,
    publicUrl,
    issuer: `${publicUrl}/realms/${name}`,
    accessTokenLifespan: options.accessTokenLifespan ?? 300,
    dataDir,
    clients,
    demoUsers: demoUsers(options.users ?? [], users),
    faults: faultsWith(options.faults),
    ...stores,
  };
  serve(server, realm);
  return identityProvider(server, realm);
}

function serve(server: Server, realm: Realm): void {
  const route = router(realm);
  server.on('request', (req, res) => {
    const url = URL.parse(req.url ?? '/', realm.publicUrl);
    const responded = url === null ? sendJson(res, 400, { error: 'HTTP 400 Bad Request' }) : route({ req, res, url });
    Promise.resolve(responded).catch((error: unknown) => {
      process.emitWarning(error instanceof Error ? error : String(error));
      if (!res.headersSent) sendJson(res, 500, serverError);
    });
  });
}

function identityProvider(server: Server, realm: Realm): IdentityProvider {
  return {
    url: realm.publicUrl,
    realmUrl: realm.issuer,
    realm: realm.name,
    mailboxUrl: `${realm.publicUrl}/mailbox`,
    get mails() {
      return realm.mailbox.mails;
    },
    faults: realm.faults,
    users: () => realm.users.list().map(person),
    sign(claims, { header = {}, expiresIn = realm.accessTokenLifespan } = {}) {
      const iat = Math.floor(Date.now() / 1000);
      return realm.keys.sign({ iss: realm.issuer, iat, exp: iat + expiresIn, typ: 'Bearer', ...claims }, header);
    },
    rotateKey: (key) => realm.keys.rotate(key),
    removeOldKeys: () => realm.keys.removeOld(),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      // Lets clients in this process notice that their keep-alive connections are closed.
      await setImmediate();
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}
