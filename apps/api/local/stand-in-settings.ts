import type { ClientConfig, IdentityProvider } from '@profile-service/local-stack';

/** The client as which the service reaches the identity provider. */
export interface OwnClient {
  clientId: string;
  secret: string;
}

/** That client for the embedded identity provider, with the rights that the service needs. */
export const ownClientConfig = (own: OwnClient): ClientConfig => ({
  ...own,
  serviceAccountRoles: { client: { 'realm-management': ['view-users', 'manage-users'] } },
});

/** The service's settings for the embedded identity provider, whose realm gives the tokens of people and of applications. */
export const identitySettings = ({ realmUrl }: IdentityProvider, { clientId, secret }: OwnClient) => ({
  IDENTITY_REALM_URL: realmUrl,
  IDENTITY_AUTH_URL: realmUrl,
  IDENTITY_CLIENT_ID: clientId,
  IDENTITY_CLIENT_SECRET: secret,
});
