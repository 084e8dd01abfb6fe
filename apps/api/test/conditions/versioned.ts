import { acceptsIfMatch, acceptsIfNoneMatch, endpoints, type NamedEndpoint, type VersionedType } from '@profile-service/contracts';
import type { Fixture } from '../endpoints/fixture.ts';
import { validCall } from '../endpoints/calls.ts';
import { absentId, exampleOf, type Input, smallestChanges } from '@profile-service/contracts/examples';
import { type Attempt, rest, type Result, type Transport, trpc } from '../endpoints/send.ts';

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

/** The types of records with an organization scope. */
export const scopedTypes: readonly string[] = ['organization', 'organizationAddress', 'organizationContact', 'attachment'];

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

export const named = (among: readonly Versioned[], type: string): Versioned => among.find((one) => one.type === type)!;

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

/** A key of no record. */
export const absentKey = (key: Input): Input =>
  Object.fromEntries(Object.entries(key).map(([field, value]) => [field, typeof value === 'number' ? 99 : absentId]));

/** The number of a version. */
export const versionOf = ({ etag }: Pick<Result, 'etag'>): number => Number(etag?.replaceAll('"', ''));

/** A new record of the endpoint: the input that names it, and its current version. */
export async function newRecord(fixture: Fixture, { name, endpoint, type }: Versioned): Promise<{ key: Input; etag: string }> {
  const { input } = await validCall(fixture, name, endpoint);
  const key = keyOf(type, input);
  const { etag } = await read(fixture, type, key);
  return { key, etag: etag ?? '' };
}

/** A new value for each field of the type's PUT. Throws if one is missing. */
export async function otherValues(fixture: Fixture, type: string): Promise<Input> {
  const { name, endpoint } = named(updates, type);
  const values = (await exampleOf(name).changes?.(fixture)) ?? {};
  const missing = Object.keys(endpoint.body?.shape ?? {}).filter((field) => !(field in values));
  if (missing.length > 0) throw new Error(`Add changes of ${missing.join(', ')} to the example of ${name} in packages/contracts/examples`);
  return values;
}

/** The smallest changes of the record: one for each field of its PUT. */
export const changesOf = (fixture: Fixture, type: string): Promise<Input[]> =>
  smallestChanges(exampleOf(named(updates, type).name), fixture);

/** Changes a record through its PUT. */
export const change = async (fixture: Fixture, type: string, key: Input): Promise<Result> =>
  send(fixture, named(updates, type), { input: { ...(await otherValues(fixture, type)), ...key } });
