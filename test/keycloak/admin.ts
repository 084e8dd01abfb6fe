import KcAdminClient from '@keycloak/keycloak-admin-client';
import type { KeycloakAccess } from './access.ts';

/** Returns the admin client of a realm. It is logged in as an administrator of the realm `master` and renews its token. */
export async function administratorOf({ internalUrl: baseUrl, username, password }: KeycloakAccess, realm: string): Promise<KcAdminClient> {
  const login = new KcAdminClient({ baseUrl, realmName: 'master' });
  await login.auth({ grantType: 'password', clientId: 'admin-cli', username, password });
  const admin = new KcAdminClient({ baseUrl, realmName: realm });
  admin.registerTokenProvider(login);
  return admin;
}
