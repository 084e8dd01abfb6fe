import type { ClientConfig, IdentityProvider } from '@profile-service/local-stack';

/** The credentials of the service at the identity provider. */
export interface ServiceClient {
  clientId: string;
  secret: string;
}

/** Returns the configuration of this client for the embedded identity provider, with the roles that the service needs. */
export const serviceClientConfig = (client: ServiceClient): ClientConfig => ({
  ...client,
  serviceAccountRoles: { client: { 'realm-management': ['view-users', 'manage-users'] } },
});

/** Returns the service's settings for the embedded identity provider. Its one realm issues the tokens of users and of applications. */
export const identitySettings = ({ realmUrl }: IdentityProvider, { clientId, secret }: ServiceClient) => ({
  IDENTITY_REALM_URL: realmUrl,
  IDENTITY_AUTH_URL: realmUrl,
  IDENTITY_CLIENT_ID: clientId,
  IDENTITY_CLIENT_SECRET: secret,
});
