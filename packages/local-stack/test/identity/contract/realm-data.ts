import { randomUUID } from 'node:crypto';
import type { ClientConfig } from '../../../src/identity/options.ts';

export const service = { clientId: 'profile-service', secret: 'the-service' };
/** A client whose service account may only read users. */
export const viewer = { clientId: 'viewer', secret: 'the-viewer' };
/** A client whose service account may manage users, which includes reading them. */
export const manager = { clientId: 'manager', secret: 'the-manager' };
/** A user with roles. */
export const ana = { id: randomUUID(), email: 'ana@example.com', password: 'ana’s own' };
/** A user without roles. */
export const bob = { id: randomUUID(), email: 'bob@example.com', password: 'bob’s own' };

/** Public clients, one of them with a wide redirect pattern, this service's client, an application, and clients with one role. */
export const clients: ClientConfig[] = [
  { clientId: 'profile-web', public: true, redirectUris: ['http://localhost:*'] },
  {
    ...service,
    redirectUris: ['http://localhost:3000/*'],
    serviceAccountRoles: { client: { 'realm-management': ['view-users', 'manage-users'] } },
  },
  { clientId: 'app-a', secret: 'the-application' },
  { clientId: 'wild', public: true, redirectUris: ['http://localhost*'] },
  { clientId: 'frontend', public: true, redirectUris: ['http://localhost:5173/*'] },
  { ...viewer, serviceAccountRoles: { client: { 'realm-management': ['view-users'] } } },
  { ...manager, serviceAccountRoles: { client: { 'realm-management': ['manage-users'] } } },
];

export const users = [
  { ...ana, firstName: 'Ana', lastName: 'Silva', realmRoles: ['super_admin'], clientRoles: { 'profile-service': ['users:read'] } },
  { ...bob, firstName: 'Bob', lastName: 'Souza' },
];

/** The same users with other ids, for a second realm: Keycloak's ids are unique across realms. */
export const otherUsers = users.map((user) => ({ ...user, id: randomUUID() }));
