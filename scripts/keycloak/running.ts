import { randomUUID } from 'node:crypto';
import { administratorOf } from '../../test/keycloak/admin.ts';
import { realmOfFile } from '../../test/keycloak/realm-file.ts';
import type { KeycloakServer } from './server.ts';

/** Uses the Keycloak that KEYCLOAK_URL names. Creates a realm from the realm file under another name, and deletes it at the end. */
export async function useRunningKeycloak(): Promise<KeycloakServer> {
  const {
    KEYCLOAK_URL = '',
    KEYCLOAK_ADMIN_USERNAME: username = 'admin',
    KEYCLOAK_ADMIN_PASSWORD: password,
    KEYCLOAK_SMTP_HOST: smtpHost = '127.0.0.1',
  } = process.env;
  if (!password)
    throw new Error('KEYCLOAK_ADMIN_PASSWORD is not set: KEYCLOAK_URL needs the password of an administrator of the realm master.');
  const url = KEYCLOAK_URL.replace(/\/+$/, '');
  const realm = `profile-test-${randomUUID()}`;
  const access = { url, internalUrl: url, username, password, realm, smtpHost, pidFile: null };
  const admin = await administratorOf(access, realm).catch((error: unknown) => {
    throw new Error(
      `The login at KEYCLOAK_URL failed: check KEYCLOAK_URL, KEYCLOAK_ADMIN_USERNAME and KEYCLOAK_ADMIN_PASSWORD. ${String(error)}`,
    );
  });
  await admin.realms.create(realmOfFile(realm));
  return { access, stop: () => admin.realms.del({ realm }) };
}
