import { idOf } from '../data/ids.ts';
import { linksOf } from '../data/links.ts';
import { sizes, tenant as tenants } from '../data/size.ts';
import { tenantId } from '../data/tables.ts';
import { asLargestAdmin } from '../work/callers.ts';
import { encode, type HttpRequest } from '../work/encode.ts';
import { formWith, pdf } from '../work/form.ts';
import type { World } from '../work/world.ts';

/** The kinds of traffic: a mix of reads and writes, one kind of read, and lists of 100,000 rows. */
export type TrafficName = 'mixed' | 'get' | 'long list';

const organizations = '/api/organizations';
/** Uploads are small: the test is about requests, and not about the network. */
const file = pdf(1).subarray(0, 65_536);

const unreadOrganizations = 20;

/** The nth request of a tenant. */
type Request = (caller: Caller, n: number) => HttpRequest;

/** A tenant-admin of one of the equal tenants. */
interface Caller {
  credentials: Pick<HttpRequest, 'token' | 'tenant'>;
  /** The id of the nth organization of the tenant, of one of its contacts, and of an organization that is not read: its contacts become many. */
  organization(n: number): string;
  contact(n: number): string;
  unread(n: number): string;
}

const get: Request = ({ credentials, organization }, n) => ({ ...credentials, method: 'GET', path: `${organizations}/${organization(n)}` });
const list: Request = ({ credentials }) => ({ ...credentials, method: 'GET', path: organizations });
const permissions: Request = ({ credentials }) => ({ ...credentials, method: 'GET', path: '/api/me/permissions' });
const getOverTrpc: Request = ({ credentials, organization }, n) => ({
  ...credentials,
  method: 'GET',
  path: `/trpc/organizations.get?input=${encodeURIComponent(JSON.stringify({ id: organization(n) }))}`,
});
const createContact: Request = ({ credentials, unread }, n) => ({
  ...credentials,
  method: 'POST',
  path: '/api/organization-contacts',
  body: { organizationId: unread(n), type: 'EMAIL', value: 'compras@example.com', description: 'Compras' },
});
const changeContact: Request = ({ credentials, contact }, n) => ({
  ...credentials,
  method: 'PUT',
  path: `/api/organization-contacts/${contact(n)}`,
  body: { description: `Compras ${n}` },
});
const upload: Request = ({ credentials, organization }, n) => ({
  ...credentials,
  method: 'POST',
  path: '/api/attachments',
  body: formWith({ entityId: organization(n), description: 'Estatuto social' }, file),
});

/** Requests of the mixed traffic, by their share in percent. */
const mix: readonly [share: number, request: Request][] = [
  [45, get],
  [15, list],
  [10, permissions],
  [12, getOverTrpc],
  [8, createContact],
  [9, changeContact],
  [1, upload],
];
/** 100 requests in an order in which the kinds alternate. */
const mixed = mix
  .flatMap(([share, request]) => Array.from({ length: share }, (_, index) => ({ request, at: (index + 0.5) / share })))
  .toSorted((a, b) => a.at - b.at)
  .map(({ request }) => request);

/** By how many requests of the mix each tenant is ahead of the one before it. */
const kindsApart = 7;

/** Returns a function that returns the next request of the traffic. @param indexes of the tenants, which send in turn */
export function trafficOf(name: TrafficName, world: World, indexes: readonly number[]): () => Buffer {
  if (name === 'long list') return repeat([encode(longList(world))]);
  const callers = indexes.map((index) => callerOf(world, index));
  const different = name === 'get' ? 100 : 500;
  const requestOf = (n: number) => (name === 'get' ? get : (mixed[n % mixed.length] ?? get));
  // One request of each tenant, then the next of each. They are of different kinds, because tenants do not all upload at the same time.
  return repeat(
    Array.from({ length: different }, (_, n) =>
      callers.map((caller, index) => encode(requestOf(n + index * kindsApart)(caller, n))),
    ).flat(),
  );
}

/** All organizations of the largest tenant. */
const longList = (world: World): HttpRequest => ({
  ...asLargestAdmin(world),
  method: 'GET',
  path: `/api/tenants/${tenantId(tenants.largest, sizes[world.size])}/organizations`,
});

function callerOf({ tokens, size: sizeName }: World, index: number): Caller {
  const size = sizes[sizeName];
  const { tenant, token } = tokens.others[index] ?? { tenant: 0, token: '' };
  const links = linksOf(size);
  const read = (size.tenants[tenant] ?? 1) - unreadOrganizations;
  const number = (n: number) => links.organizationOf(tenant, n % read);
  return {
    credentials: { token, tenant: tenantId(tenant, size) },
    organization: (n) => idOf('organization', number(n), size.organizations),
    unread: (n) => idOf('organization', links.organizationOf(tenant, read + (n % unreadOrganizations)), size.organizations),
    contact: (n) => idOf('contact', 2 * number(n), size.organizations * 2),
  };
}

function repeat(requests: readonly Buffer[]): () => Buffer {
  let next = -1;
  return () => requests[(next = (next + 1) % requests.length)] as Buffer;
}
