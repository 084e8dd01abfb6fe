import { endpoints } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { read, readJson } from '../support/project-files.ts';

interface Client {
  clientId: string;
  publicClient: boolean;
  directAccessGrantsEnabled?: boolean;
  fullScopeAllowed?: boolean;
  attributes?: Record<string, string>;
  protocolMappers?: { protocolMapper: string; config: Record<string, string> }[];
}
interface Realm {
  clients: Client[];
  roles: { client: Record<string, { name: string }[]> };
  scopeMappings: { client: string; roles: string[] }[];
  clientScopeMappings: Record<string, { client: string; roles: string[] }[]>;
}

const { clients, roles, scopeMappings, clientScopeMappings } = readJson<Realm>('deploy/keycloak/profile-realm.json');
/** This client calls only the admin API, so the service never receives its tokens. */
const ownClient = 'profile-service';

test('docker-compose.yml and .env.example have the same audience', () => {
  expect(read('docker-compose.yml')).toContain(`IDENTITY_AUDIENCE: \${IDENTITY_AUDIENCE:-${ownClient}}`);
  expect(read('.env.example')).toContain(`\nIDENTITY_AUDIENCE=${ownClient}\n`);
});

test.each(clients.filter(({ clientId }) => clientId !== ownClient))(
  'access tokens of the client $clientId have that audience and only the roles in its scope, and ID tokens do not have it',
  ({ protocolMappers = [], fullScopeAllowed }) => {
    const [config] = protocolMappers.filter((mapper) => mapper.protocolMapper === 'oidc-audience-mapper').map((mapper) => mapper.config);
    expect(config).toEqual({ 'included.client.audience': ownClient, 'access.token.claim': 'true', 'id.token.claim': 'false' });
    expect(fullScopeAllowed).toBe(false);
  },
);

test('no client has the password grant, and the only public one requires PKCE with S256', () => {
  expect(clients.filter((client) => client.directAccessGrantsEnabled !== false)).toEqual([]);
  const open = clients.filter(({ publicClient }) => publicClient);
  expect(open).toMatchObject([{ clientId: 'profile-web', attributes: { 'pkce.code.challenge.method': 'S256' } }]);
});

test('the realm has super_admin and the exception role of every endpoint, and puts them into tokens of the public client', () => {
  const exceptionRoles = endpoints.flatMap(({ endpoint: { access } }) =>
    access.kind === 'user' && !access.globalOnly ? `${access.module}:${access.action}` : [],
  );
  const expected = [...new Set(exceptionRoles)].toSorted();
  expect(roles.client[ownClient]?.map(({ name }) => name).toSorted()).toEqual(expected);
  expect(clientScopeMappings[ownClient]).toEqual([{ client: 'profile-web', roles: expect.any(Array) }]);
  expect(clientScopeMappings[ownClient]?.[0]?.roles.toSorted()).toEqual(expected);
  expect(scopeMappings).toEqual([{ client: 'profile-web', roles: ['super_admin'] }]);
});
