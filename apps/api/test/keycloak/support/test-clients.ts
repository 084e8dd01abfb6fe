import type KcAdminClient from '@keycloak/keycloak-admin-client';

/** Puts an audience into access tokens, as the mappers in the realm file do. */
const audienceMapper = (client: string) => ({
  name: `${client} audience`,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.client.audience': client, 'access.token.claim': 'true', 'lightweight.claim': 'true' },
});

/** Public clients with the password grant, which the realm file has none of. Each differs from the others in the tokens that it gets. */
export const testClients = {
  /** Usual tokens, with all roles of the user. */
  usual: { clientId: 'test-usual' },
  /** Lightweight access tokens. */
  lightweight: { clientId: 'test-lightweight', attributes: { 'client.use.lightweight.access.token.enabled': 'true' } },
  /** Tokens without `sub`: the client lacks the scope `basic`. */
  withoutBasic: { clientId: 'test-without-basic', defaultClientScopes: ['roles', 'profile', 'email'] },
  /** Tokens for another audience. */
  foreign: { clientId: 'test-foreign', protocolMappers: [audienceMapper('portal-app')] },
  /** Tokens without an audience. */
  withoutAudience: { clientId: 'test-without-audience', protocolMappers: [] },
};

/** Adds the test clients to a realm, unless it has them. */
export async function addTestClients(admin: KcAdminClient): Promise<void> {
  for (const client of Object.values(testClients)) {
    if ((await admin.clients.find({ clientId: client.clientId })).length > 0) continue;
    await admin.clients.create({
      publicClient: true,
      standardFlowEnabled: false,
      directAccessGrantsEnabled: true,
      protocolMappers: [audienceMapper('profile-service')],
      ...(client as object),
    });
  }
}
