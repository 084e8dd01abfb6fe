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
import { ActionLinks } from './people/action-links.ts';
import { seed } from './people/seed.ts';
import { person, type Person } from './people/user.ts';
import { UserStore } from './people/users.ts';
import type { Realm } from './realm.ts';
import { router } from './router.ts';

/** A running identity provider that behaves as Keycloak 26.7 wherever this service can see it. */
export interface IdentityProvider {
  /** Base of all addresses, for the admin client its `baseUrl`. */
  url: string;
  /** The issuer of its tokens: `<url>/realms/<realm>`. */
  realmUrl: string;
  realm: string;
  /** The page that shows the mails it "sent"; with `.json` behind it the same as JSON, newest first. */
  mailboxUrl: string;
  /** The mails it "sent", oldest first. */
  readonly mails: readonly Mail[];
  /** What is to fail from now on; set its members. */
  readonly faults: Faults;
  /** All people as they are now, ordered by username; no service accounts. */
  users(): Person[];
  /**
   * Signs an access token with the current key: `claims` laid over iss, iat, exp and typ Bearer (undefined takes one away),
   * `header` over alg, typ and kid. `expiresIn` is in seconds, absent: the access tokens' lifetime.
   */
  sign(claims: JWTPayload, options?: { header?: Record<string, unknown>; expiresIn?: number }): Promise<string>;
  /** A new key (a generated one unless a private JWK is given) signs at once; tokens of the old ones still verify. */
  rotateKey(key?: JWK): Promise<void>;
  /** Tokens of all keys but the current one no longer verify. */
  removeOldKeys(): Promise<void>;
  /** Closes every connection and frees the port. */
  stop(): Promise<void>;
}

/** Starts the identity provider and resolves when it answers. Rejects when the port is taken or a configuration makes no sense. */
export async function startIdentityProvider(options: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  const { dataDir, realm: name = 'profile' } = options;
  const clients = registerClients(options.clients ?? []);
  const users = new UserStore(dataDir);
  seed(users, options.users ?? [], name, clients.values());
  const keys = await KeyRing.open(dataDir, options.keys);
  const kept = { users, keys, mailbox: new Mailbox(dataDir), links: new ActionLinks(dataDir) };
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
    faults: faultsWith(options.faults),
    ...kept,
  };
  serve(server, realm);
  return identityProvider(server, realm);
}

function serve(server: Server, realm: Realm): void {
  const route = router(realm);
  server.on('request', (req, res) => {
    const url = URL.parse(req.url ?? '/', realm.publicUrl);
    const answered = url === null ? sendJson(res, 400, { error: 'HTTP 400 Bad Request' }) : route({ req, res, url });
    Promise.resolve(answered).catch((error: unknown) => {
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
    users: () => realm.users.people().map(person),
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
      // One turn, in which clients in this process learn that their kept connections are gone.
      await setImmediate();
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}
