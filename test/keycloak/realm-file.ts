import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The realm that docker-compose.yml imports. */
export const realmFile = fileURLToPath(new URL('../../deploy/keycloak/profile-realm.json', import.meta.url));

/** The values of the placeholders in the realm file. The tests change the mail server when they run. */
export const realmSettings = {
  PUBLIC_URL: 'http://localhost:3000',
  WEB_URL: 'http://localhost:5173',
  IDENTITY_CLIENT_SECRET: 'keycloak-test-profile-service',
  PORTAL_APP_CLIENT_SECRET: 'keycloak-test-portal-app',
  REPORTS_APP_CLIENT_SECRET: 'keycloak-test-reports-app',
  BOOTSTRAP_GLOBAL_EMAIL: 'global@example.com',
  BOOTSTRAP_GLOBAL_PASSWORD: 'keycloak-test-global',
  SMTP_HOST: '127.0.0.1',
  SMTP_PORT: '1',
  SMTP_FROM: 'no-reply@example.com',
  SMTP_STARTTLS: 'false',
  SMTP_AUTH: 'false',
  SMTP_USER: 'profile-service',
  SMTP_PASSWORD: 'keycloak-test-smtp',
} as const;

/** Returns the realm file as JSON with its placeholders replaced, as Keycloak imports it. @param name the name of the realm; default: the one in the file */
export function realmOfFile(name?: string): Record<string, unknown> {
  const text = readFileSync(realmFile, 'utf8').replaceAll(/\$\{(\w+)\}/g, (placeholder, key: string) => {
    const value: string | undefined = (realmSettings as Record<string, string>)[key];
    if (value === undefined) throw new Error(`test/keycloak/realm-file.ts has no value for ${placeholder} of the realm file`);
    return value;
  });
  return { ...(JSON.parse(text) as Record<string, unknown>), ...(name === undefined ? {} : { realm: name }) };
}
