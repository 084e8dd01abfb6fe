import type { Contract, Row } from '@profile-service/contracts';
import type { Place } from './place.ts';

/** Dotted, as in tRPC: `users.create`. */
type NamesOf<Tree> = { [K in keyof Tree & string]: Tree[K] extends Row ? K : `${K}.${NamesOf<Tree[K]>}` }[keyof Tree & string];
export type RowName = NamesOf<Contract>;

type RowAt<Tree, Name> = Name extends keyof Tree
  ? Tree[Name]
  : Name extends `${infer Branch}.${infer Rest}`
    ? Branch extends keyof Tree
      ? RowAt<Tree[Branch], Rest>
      : never
    : never;
type SentTo<Name> = RowAt<Contract, Name> extends Row<infer _M, infer _A, infer Sent> ? Sent : never;

export type Input = Record<string, unknown>;

/** Makes what a call of the row needs, within sight of the place's tenant, and gives the input: path, query and body in one flat object. */
type Sample<Sent> = (place: Place) => Sent | Promise<Sent>;

const userId = async ({ world }: Place) => (await world.person()).id;
const tenantId = async ({ world }: Place) => (await world.tenant()).id;
const appId = async ({ world }: Place) => (await world.create<{ id: string }>('POST /api/apps', { name: world.newTaxId() })).id;
const customerId = async ({ world }: Place) =>
  (await world.create<{ id: string }>('POST /api/customers', { federalTaxId: world.newTaxId(), name: 'Central' })).id;
const membership = async (place: Place) => {
  const tenant = await tenantId(place);
  return { userId: (await place.world.person({ [tenant]: 'viewer' })).id, tenantId: tenant };
};

/** A valid call of every row, in the contract's order: what the tests over all rows start from. A new row needs one here. */
export const samples = {
  'users.create': ({ world }) => world.newPerson(),
  'users.list': () => ({}),
  'users.get': async (place) => ({ id: await userId(place) }),
  'users.update': async (place) => ({ id: await userId(place), name: 'Renamed' }),
  'users.remove': async (place) => ({ id: await userId(place) }),
  'memberships.list': async (place) => ({ userId: (await membership(place)).userId }),
  'memberships.assign': async (place) => ({ userId: await userId(place), tenantId: await tenantId(place), persona: 'viewer' }),
  'memberships.remove': membership,
  'memberships.users': async (place) => ({ tenantId: (await membership(place)).tenantId }),
  'customers.create': ({ world }) => ({ federalTaxId: world.newTaxId(), name: 'Central' }),
  'customers.list': () => ({}),
  'customers.get': async (place) => ({ id: await customerId(place) }),
  'customers.update': async (place) => ({ id: await customerId(place), alias: 'C' }),
  'customers.remove': async (place) => ({ id: await customerId(place) }),
  'apps.create': ({ world }) => ({ name: world.newTaxId() }),
  'apps.list': () => ({}),
  'apps.get': async (place) => ({ id: await appId(place) }),
  'apps.update': async (place) => ({ id: await appId(place), name: place.world.newTaxId() }),
  'apps.remove': async (place) => ({ id: await appId(place) }),
  'tenants.create': async (place) => ({ customerId: await customerId(place), appId: await appId(place), name: 'Harvest' }),
  'tenants.list': () => ({}),
  'tenants.get': ({ tenant }) => ({ id: tenant.id }),
  'tenants.update': async (place) => ({ id: await tenantId(place), metadata: { region: 'south' } }),
  'tenants.remove': async (place) => ({ id: await tenantId(place) }),
  'me.tenants': () => ({}),
  'me.permissions': () => ({}),
  'cooperatives.list': () => ({}),
  'service.users.create': ({ world }) => ({ ...world.newPerson(), type: 'Technician', persona: 'technician' }),
  'service.cooperatives.list': () => ({}),
} satisfies { [Name in RowName]: Sample<SentTo<Name>> };

/** The sample of a row. Throws where the table above has none. */
export function sampleOf(name: string): Sample<Input> {
  const sample = (samples as Record<string, Sample<Input>>)[name];
  if (!sample) throw new Error(`No valid call of ${name} is known: add one to apps/api/test/rows/samples.ts`);
  return sample;
}
