import { organizationName } from '../data/names.ts';
import { personOf, user } from '../data/people.ts';
import { sizes } from '../data/size.ts';
import { tenantId } from '../data/tables.ts';
import { asApplication, asGlobal, asUsualAdmin } from './callers.ts';
import { usualOrganization } from './reads.ts';
import type { Work } from './work.ts';

const write = { status: 201, onFloor: true, different: 'all' } as const;

export const createContact: Work = {
  ...write,
  name: 'create a contact',
  request: (world, n) => ({
    ...asUsualAdmin(world, n),
    method: 'POST',
    path: '/api/organization-contacts',
    body: { organizationId: usualOrganization(world.size, n), type: 'EMAIL', value: 'compras@example.com', description: 'Compras' },
  }),
};

export const writes = [
  createContact,
  {
    ...write,
    name: 'create an organization',
    request: (world, n) => ({
      ...asUsualAdmin(world, n),
      method: 'POST',
      path: '/api/organizations',
      body: {
        name: organizationName(n),
        alias: 'Vale Verde',
        federalTaxId: `9${String(n).padStart(13, '0')}`,
        address: { zipCode: '01001000', street: 'Praça da Sé', number: '1', district: 'Sé', cityCode: 3_550_308, stateCode: 35 },
        contacts: [{ type: 'EMAIL', value: 'contato@example.com', isPrimary: true }],
      },
    }),
  },
  {
    ...write,
    name: 'add a member',
    request: (world, n) => {
      const size = sizes[world.size];
      // Each request has its own pair of a user and a tenant, until all are used up.
      const others = size.users - user.firstOther;
      const member = personOf(user.firstOther + (n % others), size);
      const tenant = 3 + (Math.floor(n / others) % (size.tenants.length - 3));
      return {
        ...asGlobal(world),
        method: 'POST',
        path: `/api/users/${member.id}/tenants`,
        body: { tenantId: tenantId(tenant, size), persona: 'technician' },
      };
    },
  },
  {
    ...write,
    different: 1,
    name: 'repeat /service/users',
    request: (world) => {
      const { name, email, federalTaxId } = personOf(user.usualMember + 19, sizes[world.size]);
      return {
        ...asApplication(world),
        method: 'POST',
        path: '/service/users',
        body: { name, email, federalTaxId, type: 'Technician', persona: 'technician' },
      };
    },
  },
] satisfies Work[];
