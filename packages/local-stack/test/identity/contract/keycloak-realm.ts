import type { ClientConfig, IdentityProviderOptions, UserConfig } from '../../../src/identity/options.ts';
import type { KeycloakAccess } from '../../../../../test/keycloak/access.ts';
import { createRealm } from '../../../../../test/keycloak/create-realm.ts';
import { linkIn } from '../../../../../test/keycloak/smtp-sink.ts';

/** What the contract tests may configure: what both providers can do. */
export type RealmOptions = Required<Pick<IdentityProviderOptions, 'clients' | 'users' | 'accessTokenLifespan'>>;

/** Creates a realm of a real Keycloak with these clients and users, and the roles that they name. */
export async function startKeycloakRealm(access: KeycloakAccess, options: RealmOptions) {
  const realm = await createRealm(access, representation(options));
  return {
    url: access.url,
    realmUrl: realm.url,
    realm: realm.name,
    linksTo: async (email: string) => (await realm.smtp.mailsTo(email)).map(linkIn),
    rejectMails(isRejecting: boolean) {
      realm.smtp.mode = isRejecting ? 'reject' : 'accept';
    },
    rotateKey: realm.rotateKey,
    removeOldKeys: realm.removeOldKeys,
    stop: realm.stop,
  };
}

function representation({ clients, users, accessTokenLifespan }: RealmOptions) {
  const roles = users.flatMap(({ clientRoles = {} }) => Object.entries(clientRoles));
  return {
    enabled: true,
    accessTokenLifespan,
    registrationEmailAsUsername: true,
    roles: {
      realm: users.flatMap(({ realmRoles = [] }) => realmRoles).map((name) => ({ name })),
      client: Object.fromEntries(roles.map(([clientId, names]) => [clientId, names.map((name) => ({ name }))])),
    },
    clients: clients.map(clientRepresentation),
    users: [...users.map(userRepresentation), ...clients.flatMap(serviceAccount)],
  };
}

function clientRepresentation({ clientId, secret, redirectUris = [], directAccessGrants, public: isPublic = false }: ClientConfig) {
  return {
    clientId,
    publicClient: isPublic,
    ...(secret === undefined ? {} : { secret }),
    redirectUris,
    webOrigins: ['+'],
    standardFlowEnabled: redirectUris.length > 0,
    directAccessGrantsEnabled: directAccessGrants ?? isPublic,
    serviceAccountsEnabled: !isPublic,
    attributes: { 'post.logout.redirect.uris': '+', ...(isPublic ? { 'pkce.code.challenge.method': 'S256' } : {}) },
  };
}

function userRepresentation({ password, hint: _onlyLocal, ...user }: UserConfig) {
  const credentials = password === undefined ? [] : [{ type: 'password', value: password, temporary: false }];
  return { username: user.email, emailVerified: true, enabled: true, ...user, credentials };
}

function serviceAccount({ clientId, public: isPublic, serviceAccountRoles }: ClientConfig) {
  if (isPublic) return [];
  const { realm: realmRoles = [], client: clientRoles = {} } = serviceAccountRoles ?? {};
  return [{ username: `service-account-${clientId}`, enabled: true, serviceAccountClientId: clientId, realmRoles, clientRoles }];
}
