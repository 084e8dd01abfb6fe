import { randomUUID } from 'node:crypto';
import { newOrganization, praca } from '@profile-service/contracts/examples';
import { form, pdf } from '../support/files.ts';
import type { Person, Tenant } from '../support/people.ts';
import type { World } from '../support/world.ts';

/** One write that a writer repeats until it has its response. */
export interface Write {
  token: string;
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body: unknown;
  /** Undefined for methods that take no key. */
  key: string | undefined;
  /** Event type of the write. */
  event: string;
  /** Id of the changed record; undefined for a creation, whose response has it. */
  recordId: string | undefined;
}

export interface Target {
  world: World;
  tenant: Tenant;
  admin: Person;
  globalToken: string;
}

/** The records that a writer has created and may change. Each writer has its own. */
export interface Owned {
  organizations: string[];
  contacts: string[];
  apps: string[];
}

/** Returns a random write. */
export function randomWrite({ world, tenant, admin, globalToken }: Target, owned: Owned): Write {
  const post = (token: string, path: string, body: unknown, event: string): Write => ({
    token,
    method: 'POST',
    path,
    body,
    key: randomUUID(),
    event,
    recordId: undefined,
  });
  const change = (method: 'PUT' | 'DELETE', path: string, recordId: string, body: unknown, event: string): Write => ({
    token: globalToken,
    method,
    path: `${path}/${recordId}`,
    body,
    key: undefined,
    event,
    recordId,
  });
  const organizationId = owned.organizations.at(-1);
  const writes: (() => Write | undefined)[] = [
    () => post(admin.token, '/api/organizations', newOrganization(world), 'organization.created'),
    () => post(tenant.service.token, '/service/organizations', newOrganization(world), 'organization.created'),
    () => post(globalToken, '/api/apps', { name: randomUUID() }, 'app.created'),
    () => post(globalToken, '/api/users', world.newPerson(), 'user.created'),
    () => post(admin.token, '/api/attachments', form(['file', pdf()]), 'attachment.created'),
    () =>
      organizationId &&
      post(
        globalToken,
        '/api/organization-contacts',
        { organizationId, type: 'URL', value: `https://${randomUUID()}.example`, isPrimary: true },
        'organizationContact.created',
      ),
    () => organizationId && post(globalToken, '/api/organization-addresses', { organizationId, ...praca }, 'organizationAddress.created'),
    () => organizationId && change('PUT', '/api/organizations', organizationId, { name: randomUUID() }, 'organization.updated'),
    () => {
      const app = owned.apps.pop();
      return app && change('DELETE', '/api/apps', app, undefined, 'app.deleted');
    },
  ].map((write) => () => write() || undefined);
  for (;;) {
    const write = writes[Math.floor(Math.random() * writes.length)]?.();
    if (write) return write;
  }
}
