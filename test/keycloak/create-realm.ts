import { randomUUID } from 'node:crypto';
import type KcAdminClient from '@keycloak/keycloak-admin-client';
import type { KeycloakAccess } from './access.ts';
import { administratorOf } from './admin.ts';
import { initialKeys, removeOldKeys, rotateKey } from './signing-keys.ts';
import { type SmtpSink, startSmtpSink } from './smtp-sink.ts';

type RealmRepresentation = NonNullable<Parameters<KcAdminClient['realms']['create']>[0]>;

/** A realm of a real Keycloak, with a mail server that keeps its mails. */
export interface KeycloakRealm {
  name: string;
  /** The issuer of its tokens. */
  url: string;
  /** Admin client of the realm, with all rights. */
  admin: KcAdminClient;
  smtp: SmtpSink;
  /** Signs with a new key from now on. Tokens of older keys still verify. */
  rotateKey(algorithm: string): Promise<void>;
  /** Removes all signing keys except the current one. */
  removeOldKeys(): Promise<void>;
  /** Deletes the realm. */
  stop(): Promise<void>;
}

/** Creates a realm whose mails go to a mail server of the test. Its name begins with the name of the realm that was imported. */
export async function createRealm(access: KeycloakAccess, representation: RealmRepresentation): Promise<KeycloakRealm> {
  const name = `${access.realm}-${randomUUID()}`;
  const admin = await administratorOf(access, name);
  await admin.realms.create({ ...representation, realm: name, components: initialKeys() as unknown as Record<string, never> });
  return useRealm(access, name, () => admin.realms.del({ realm: name }));
}

/** Directs the mails of an existing realm to a mail server of the test. @param remove called by `stop` */
export async function useRealm(
  access: KeycloakAccess,
  name: string,
  remove: () => Promise<unknown> = () => Promise.resolve(),
): Promise<KeycloakRealm> {
  const admin = await administratorOf(access, name);
  const smtp = await startSmtpSink(access.smtpHost === '127.0.0.1' ? access.smtpHost : '0.0.0.0');
  const smtpServer = { host: access.smtpHost, port: String(smtp.port), from: 'no-reply@example.com' } as Record<string, string>;
  await admin.realms.update({ realm: name }, { smtpServer });
  return {
    name,
    url: `${access.url}/realms/${name}`,
    admin,
    smtp,
    rotateKey: (algorithm) => rotateKey(admin, algorithm),
    removeOldKeys: () => removeOldKeys(admin),
    async stop() {
      await Promise.all([remove(), smtp.stop()]);
    },
  };
}
