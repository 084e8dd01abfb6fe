import type { Contract } from '../src/index.ts';
import type { ExamplesOf, Records } from './example.ts';
import { absent, longer, none } from './values.ts';

const filters = async ({ organization, tenant }: Records) => ({
  organizationId: (await organization(tenant)).id,
  startDate: '2020-01-01T00:00:00.000Z',
  types: ['organization.created', 'organizationLink.*'],
  limit: 10,
});
const withoutLimit = async (records: Records) => ({ ...(await filters(records)), limit: undefined });
/** A position that no event has. */
const expired = () => ({ cursor: Buffer.from('1.1.1').toString('base64url') });
const errors = { NOT_ALLOWED_ORGANIZATION: absent('organizationId'), EVENT_CURSOR_EXPIRED: expired };

export const events: ExamplesOf<Contract['events']> = {
  list: {
    valid: none,
    optional: filters,
    // Rules: EVENTS-15, EVENTS-18, EVENTS-20
    invalid: {
      cursor: ['none', longer(100), 'MS4x', Buffer.from('1.99999999999999999999.1').toString('base64url')],
      startDate: ['yesterday'],
      'types.0': ['organization', 'organization.renamed', 'cooperative.*'],
      organizationId: ['7'],
      limit: ['0', '1001', '1.5'],
      wait: ['-1', '31'],
    },
    // Rules: EVENTS-16, EVENTS-19
    errors,
    large: () => ({ limit: 5 }),
  },
  stream: { valid: none, optional: withoutLimit, errors },
};

export const serviceEvents: ExamplesOf<Contract['service']['events']> = {
  list: {
    valid: none,
    optional: filters,
    invalid: { 'types.0': ['**'], limit: ['-1'], cursor: ['%%'] },
    errors,
    large: () => ({ limit: 5 }),
  },
  stream: { valid: none, optional: withoutLimit, errors },
};
