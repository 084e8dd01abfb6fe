import { randomUUID } from 'node:crypto';
import type KcAdminClient from '@keycloak/keycloak-admin-client';
import { administratorOf } from '../../test/keycloak/admin.ts';
import { realmOfFile } from '../../test/keycloak/realm-file.ts';
import type { KeycloakServer } from './server.ts';
import { keycloakVersion } from './version.ts';

/**
 * Uses the Keycloak that KEYCLOAK_URL names. Creates a realm from the realm file under another name. `stop` deletes it, and the realms of the tests, whose
 * names begin with its name.
 */
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
  await checkIssuer(url);
  const realm = `profile-test-${randomUUID()}`;
  const access = { url, internalUrl: url, username, password, realm, smtpHost, pidFile: null };
  const admin = await administratorOf(access, realm).catch((error: unknown) => {
    throw new Error(
      `The login at KEYCLOAK_URL failed: check KEYCLOAK_URL, KEYCLOAK_ADMIN_USERNAME and KEYCLOAK_ADMIN_PASSWORD. ${String(error)}`,
    );
  });
  await warnOfOtherVersion(admin);
  await admin.realms.create(realmOfFile(realm));
  return { access, stop: () => deleteRealms(admin, realm) };
}

/** The issuers of the tokens begin with KEYCLOAK_URL, which the tests rely on. */
async function checkIssuer(url: string): Promise<void> {
  const response = await fetch(`${url}/realms/master/.well-known/openid-configuration`).catch((error: unknown) => {
    throw new Error(`KEYCLOAK_URL cannot be reached: ${String(error)}`);
  });
  const { issuer } = (await response.json().catch(() => ({}))) as { issuer?: string };
  if (issuer !== `${url}/realms/master`)
    throw new Error(
      `KEYCLOAK_URL is ${url}, but the issuer of its realm master is ${issuer}: set KEYCLOAK_URL to the part before /realms/.`,
    );
}

async function warnOfOtherVersion(admin: KcAdminClient): Promise<void> {
  const version = (await admin.serverInfo.find()).systemInfo?.version;
  if (version !== keycloakVersion()) console.log(`KEYCLOAK_URL has Keycloak ${version}. The tests are written for ${keycloakVersion()}.`);
}

async function deleteRealms(admin: KcAdminClient, prefix: string): Promise<void> {
  const realms = await admin.realms.find({ briefRepresentation: true });
  for (const { realm = '' } of realms) if (realm.startsWith(prefix)) await admin.realms.del({ realm });
}
