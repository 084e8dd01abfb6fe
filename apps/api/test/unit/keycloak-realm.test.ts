import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { keycloakVersion } from '../../../../scripts/keycloak/version.ts';
import { realmOfFile } from '../../../../test/keycloak/realm-file.ts';

interface Client {
  clientId: string;
  publicClient: boolean;
  directAccessGrantsEnabled: boolean;
  fullScopeAllowed?: boolean;
  attributes?: Record<string, string>;
  protocolMappers?: { protocolMapper: string; config: Record<string, string> }[];
}

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');

interface Realm {
  clients: Client[];
  roles: { client: Record<string, { name: string }[]> };
  scopeMappings: { client: string; roles: string[] }[];
  clientScopeMappings: Record<string, { client: string; roles: string[] }[]>;
}

const realm = JSON.parse(read('deploy/keycloak/profile-realm.json')) as Realm;
const { clients, roles, scopeMappings, clientScopeMappings } = realm;
/** This client calls only the admin API, so the service never receives its tokens. */
const ownClient = 'profile-service';
const audience = /IDENTITY_AUDIENCE: \$\{IDENTITY_AUDIENCE:-([\w-]+)\}/.exec(read('docker-compose.yml'))?.[1];

test('docker-compose.yml and .env.example have the same audience', () => {
  expect(audience).toBe(ownClient);
  expect(read('.env.example')).toMatch(`\nIDENTITY_AUDIENCE=${audience}\n`);
});

test.each(clients.filter(({ clientId }) => clientId !== ownClient))(
  'access tokens of the client $clientId have that audience, and ID tokens do not',
  ({ protocolMappers = [] }) => {
    const [config] = protocolMappers.filter((mapper) => mapper.protocolMapper === 'oidc-audience-mapper').map((mapper) => mapper.config);
    expect(config).toEqual({ 'included.client.audience': audience, 'access.token.claim': 'true', 'id.token.claim': 'false' });
  },
);

test('the realm has the exception role of every endpoint, and puts it into tokens', () => {
  const exceptionRoles = endpoints.flatMap(({ endpoint: { access } }) =>
    access.kind === 'user' && !access.globalOnly ? `${access.module}:${access.action}` : [],
  );
  const expected = [...new Set(exceptionRoles)].toSorted();
  expect(roles.client[ownClient]?.map(({ name }) => name).toSorted()).toEqual(expected);
  expect(clientScopeMappings[ownClient]).toEqual([{ client: 'profile-web', roles: expect.any(Array) }]);
  expect(clientScopeMappings[ownClient]?.[0]?.roles.toSorted()).toEqual(expected);
});

test('the realm has the limits that docs/run/keycloak.md states', () => {
  expect(realm).toMatchObject({
    actionTokenGeneratedByAdminLifespan: 3 * 24 * 3600,
    passwordPolicy: 'length(12) and notUsername and notEmail',
    bruteForceProtected: true,
  });
});

test('super_admin is in the tokens of the public client', () => {
  expect(scopeMappings).toEqual([{ client: 'profile-web', roles: ['super_admin'] }]);
});

test.each(clients)('the client $clientId has no password grant', ({ directAccessGrantsEnabled }) => {
  expect(directAccessGrantsEnabled).toBe(false);
});

test.each(clients.filter(({ clientId }) => clientId !== ownClient))(
  'tokens of the client $clientId contain only the roles in its scope',
  ({ fullScopeAllowed }) => {
    expect(fullScopeAllowed).toBe(false);
  },
);

test('the only public client requires PKCE with S256', () => {
  const open = clients.filter(({ publicClient }) => publicClient);
  expect(open).toMatchObject([{ clientId: 'profile-web', attributes: { 'pkce.code.challenge.method': 'S256' } }]);
});

test('the image and the tests have the same version of Keycloak', () => {
  expect(keycloakVersion()).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the tests have a value for every placeholder of the realm file', () => {
  expect(realmOfFile('another')).toMatchObject({ realm: 'another', smtpServer: { port: '1' } });
});
