import { randomUUID } from 'node:crypto';
import { idOf } from '../data/ids.ts';
import { sizes } from '../data/size.ts';
import { asUsualAdmin } from './callers.ts';
import { usualOrganizationNumber } from './reads.ts';
import type { Work } from './work.ts';
import { createContact } from './writes.ts';

const changeContact: Work = {
  name: 'change a contact',
  status: 200,
  onFloor: false,
  different: 'all',
  request(world, n) {
    const size = sizes[world.size];
    return {
      ...asUsualAdmin(world, n),
      method: 'PUT',
      path: `/api/organization-contacts/${idOf('contact', 2 * usualOrganizationNumber(size, n), size.organizations * 2)}`,
      body: { description: `Compras ${randomUUID()}` },
    };
  },
};

/** Writes with the headers of one feature. */
export const features = [
  changeContact,
  {
    ...changeContact,
    name: 'change a contact, with If-Match',
    request: (world, n) => ({ ...changeContact.request(world, n), headers: { 'if-match': '*' } }),
  },
  {
    ...createContact,
    onFloor: false,
    name: 'create a contact, with Idempotency-Key',
    request: (world, n) => ({ ...createContact.request(world, n), headers: { 'idempotency-key': randomUUID() } }),
  },
] satisfies Work[];
