import { acceptsIfMatch, acceptsIfNoneMatch, endpoints, type NamedEndpoint } from '@profile-service/contracts';
import type { VersionedType } from '@profile-service/db';
import { validCall } from '../endpoints/calls.ts';
import type { Fixture, Input } from '../endpoints/fixture-types.ts';
import { type Attempt, rest, type Result, type Transport, trpc } from '../endpoints/send.ts';
import { newCity, newState } from '../support/geography.ts';
import { campinas } from '../support/organizations.ts';

export interface Versioned extends NamedEndpoint {
  type: VersionedType;
}

const versioned = endpoints.flatMap(({ name, endpoint }): Versioned[] =>
  endpoint.versioned === null ? [] : [{ name, endpoint, type: endpoint.versioned as VersionedType }],
);
/** The GETs by id: the endpoints that accept If-None-Match. */
export const reads = versioned.filter(({ endpoint }) => acceptsIfNoneMatch(endpoint));
/** The endpoints that accept If-Match. */
export const writes = versioned.filter(({ endpoint }) => acceptsIfMatch(endpoint));
export const updates = writes.filter(({ endpoint }) => endpoint.method === 'PUT');
export const removals = writes.filter(({ endpoint }) => endpoint.method === 'DELETE');
/** Every endpoint that returns a version. */
export const tagged = versioned.filter(({ endpoint }) => endpoint.method !== 'DELETE');

export const transports: readonly (readonly [name: string, transport: Transport])[] = [
  ['REST', rest],
  ['tRPC', trpc],
];
/** Each endpoint with each transport that serves it. */
export const overEachTransport = (named: readonly Versioned[]) =>
  named.flatMap((one) =>
    transports
      .filter(([transport]) => transport === 'REST' || one.endpoint.media === 'json')
      .map(([transport, call]) => ({ ...one, transport, call })),
  );

const named = (among: readonly Versioned[], type: string): Versioned => {
  const found = among.find((one) => one.type === type);
  if (!found) throw new Error(`No endpoint for ${type}`);
  return found;
};

/** The fields that identify the record. */
export const keyOf = (type: string, fields: Input): Input =>
  Object.fromEntries(Object.keys(named(reads, type).endpoint.params).map((key) => [key, fields[key]]));

/** Calls an endpoint over REST, as a Global user unless the attempt names another caller. */
export const send = (
  { world }: Fixture,
  { name, endpoint }: NamedEndpoint,
  attempt: Partial<Attempt> & Pick<Attempt, 'input'>,
): Promise<Result> => rest({ url: world.service.url, actor: world.global, ...attempt }, name, endpoint);

/** Reads the record by its GET. */
export const read = (fixture: Fixture, type: string, key: Input): Promise<Result> =>
  send(fixture, named(reads, type), { input: keyOf(type, key) });

/** The number of a version. */
export const versionOf = ({ etag }: Pick<Result, 'etag'>): number => Number(etag?.replaceAll('"', ''));

/** A new record of the endpoint: the input that names it, and its current version. */
export async function newRecord(fixture: Fixture, { name, endpoint, type }: Versioned): Promise<{ key: Input; etag: string }> {
  const { input } = await validCall(fixture, name, endpoint);
  const key = keyOf(type, input);
  const { etag } = await read(fixture, type, key);
  return { key, etag: etag ?? '' };
}

/** Changes a record through its PUT. */
export const change = async (fixture: Fixture, type: string, key: Input): Promise<Result> =>
  send(fixture, named(updates, type), { input: { ...(await otherValues(fixture, type)), ...key } });

/** For each field of a PUT, a value that no sample has. */
const values: Record<string, (fixture: Fixture) => Input | Promise<Input>> = {
  user: async ({ world, tenant }) => ({
    name: 'Other',
    email: world.newPerson().email,
    type: 'Coordinator',
    jobTitle: 'Other',
    customerId: tenant.customerId,
  }),
  // The two fields change together.
  organizationScope: () => ({ scope: 'RESTRICTED', organizationIds: [] }),
  customer: () => ({ name: 'Other', alias: 'Other', email: 'other@example.com', phone: '1', logoPath: '/other.png', active: false }),
  app: ({ world }) => ({ name: world.newTaxId() }),
  tenant: ({ world }) => ({
    name: 'Other',
    active: false,
    metadata: { other: true },
    identityClientId: world.newTaxId(),
    allowedScopes: ['other'],
  }),
  organization: () => ({
    name: 'Other',
    alias: 'Other',
    stateTaxId: '1',
    municipalTaxId: '1',
    logoPath: '/other.png',
    active: false,
    listed: false,
    metadata: { other: true },
  }),
  organizationAddress: () => ({
    zipCode: '13010000',
    street: 'Other',
    number: '99',
    complement: 'Other',
    district: 'Other',
    ...campinas,
    latitude: 1.5,
    longitude: 1.5,
    country: 'Other',
  }),
  organizationContact: () => ({ type: 'URL', value: 'https://other.example', description: 'Other', isPrimary: true }),
  documentType: ({ world }) => ({
    name: world.newTaxId(),
    isRequired: true,
    description: 'Other',
    requiresApproval: true,
    hasExpiration: true,
    defaultValidityDays: 7,
    hasAuthenticityCode: true,
    isActive: false,
  }),
  state: () => ({ ...newState(), stateCode: undefined, name: 'Other', latitude: 1.5, longitude: 1.5, region: 'Other' }),
  city: () => ({
    ...newCity(),
    ibgeCode: undefined,
    name: 'Other',
    latitude: 1.5,
    longitude: 1.5,
    capital: true,
    stateCode: 41,
    ddd: 41,
    timeZone: 'America/Manaus',
  }),
  attachment: async ({ world }) => ({ entityId: (await world.person()).id, description: 'Other' }),
};

/** Fields that are valid only together. */
const together: Record<string, readonly string[]> = {
  organizationScope: ['scope', 'organizationIds'],
  organizationAddress: ['cityCode', 'stateCode'],
};

/** A new value for each field of the type's PUT. Throws if one is missing. */
export async function otherValues(fixture: Fixture, type: string): Promise<Input> {
  const given = Object.entries((await values[type]?.(fixture)) ?? {}).filter(([, value]) => value !== undefined);
  const missing = Object.keys(named(updates, type).endpoint.body?.shape ?? {}).filter((field) => !given.some(([name]) => name === field));
  if (missing.length > 0) throw new Error(`Add values of ${type}.${missing.join(', ')} to apps/api/test/conditions/versioned.ts`);
  return Object.fromEntries(given);
}

/** The smallest changes of the record: one for each field of its PUT. */
export async function changesOf(fixture: Fixture, type: string): Promise<Input[]> {
  const all = Object.entries(await otherValues(fixture, type));
  const group = together[type] ?? [];
  const grouped = all.filter(([field]) => group.includes(field));
  const alone = all.filter(([field]) => !group.includes(field)).map((entry) => Object.fromEntries([entry]));
  return [...alone, ...(grouped.length > 0 ? [Object.fromEntries(grouped)] : [])];
}
