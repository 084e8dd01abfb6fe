import { realmSettings } from '../../../../../test/keycloak/realm-file.ts';
import { globalUser } from './tokens.ts';

/** Changes of the realm file. With brute force detection, Keycloak rejects a login while it processes another one of the same user. */
export const concurrentLogins = { bruteForceProtected: false };

/** The settings of a service for a realm of the realm file, besides the address at which it reaches Keycloak. @param realmUrl the issuer */
export const keycloakSettings = (realmUrl: string): Record<string, string> => ({
  IDENTITY_REALM_URL: realmUrl,
  IDENTITY_AUTH_URL: realmUrl,
  IDENTITY_AUDIENCE: 'profile-service',
  IDENTITY_CLIENT_ID: 'profile-service',
  IDENTITY_CLIENT_SECRET: realmSettings.IDENTITY_CLIENT_SECRET,
  IDENTITY_MAIL_CLIENT_ID: 'profile-web',
  IDENTITY_MAIL_REDIRECT_URL: `${realmSettings.WEB_URL}/`,
  BOOTSTRAP_GLOBAL_EMAIL: globalUser.email,
  BOOTSTRAP_GLOBAL_NAME: 'Global Administrator',
  BOOTSTRAP_GLOBAL_TAX_ID: '52998224725',
});
