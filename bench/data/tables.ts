import { createdAt, idOf } from './ids.ts';
import { linksOf } from './links.ts';
import { aliasOf, filteredPlaces, organizationName, placeOf, streetOf } from './names.ts';
import { membershipsOf, personOf } from './people.ts';
import { namedOrganizations, type Size, tenant } from './size.ts';

type Value = string | number | boolean | null;

/** A table with its rows, for COPY. */
export interface Table {
  name: string;
  columns: readonly string[];
  rows(): Iterable<Value[]>;
}

const table = (name: string, columns: string, rows: () => Iterable<Value[]>): Table => ({ name, columns: columns.split(' '), rows });

const customersPerTenant = 0.5;
const apps = 5;
/** Cities that the addresses are in: code of the city and of its state. */
const cities = [
  [3550308, 35],
  [4202404, 42],
  [5218805, 52],
  [1302603, 13],
  [2611101, 26],
  [4104204, 41],
] as const;

/** Returns all rows of a database of this size. */
export function tablesOf(size: Size): Table[] {
  const { organizations, users, tenants } = size;
  const links = linksOf(size);
  const customers = Math.ceil(tenants.length * customersPerTenant);
  const organizationId = (n: number) => idOf('organization', n, organizations);
  const addressId = (n: number) => idOf('address', n, organizations * 2);

  /** The text that a name filter looks for is in the names of the first organizations of two tenants. */
  function nameOf(n: number): string {
    for (const link of links.tenantsOf(n)) {
      if (link.n >= namedOrganizations) continue;
      if (link.tenant === tenant.largest) return organizationName(n, filteredPlaces.largest.place);
      if (link.tenant === tenant.usual) return organizationName(n, filteredPlaces.usual.place);
    }
    return organizationName(n);
  }

  const times = (n: number): [string, string] => {
    const created = createdAt(n, organizations).toISOString();
    return [created, created];
  };
  /** Some of the organizations without a tenant are deleted. */
  const deletedAt = (n: number) => (n % 20 === 0 && links.tenantsOf(n).length === 0 ? (times(n)[0] ?? null) : null);

  return [
    table('customers', 'id federal_tax_id name', function* () {
      for (let n = 0; n < customers; n += 1) yield [idOf('customer', n, customers), taxId(n), organizationName(n)];
    }),
    table('apps', 'id name', function* () {
      for (let n = 0; n < apps; n += 1) yield [idOf('app', n, apps), `App ${n}`];
    }),
    table('tenants', 'id customer_id app_id name identity_client_id', function* () {
      for (let n = 0; n < tenants.length; n += 1)
        yield [tenantId(n, size), idOf('customer', n % customers, customers), idOf('app', n % apps, apps), `Tenant ${n}`, clientOf(n)];
    }),
    table('users', 'id id_identity name email federal_tax_id type job_title', function* () {
      for (let n = 0; n < users; n += 1) {
        const { id, identity, name, email, federalTaxId, type } = personOf(n, size);
        yield [id, identity, name, email, federalTaxId, type, n % 2 === 0 ? 'Agrônoma' : null];
      }
    }),
    table('memberships', 'user_id tenant_id persona', function* () {
      for (let n = 0; n < users; n += 1)
        for (const membership of membershipsOf(n, size))
          yield [personOf(n, size).id, tenantId(membership.tenant, size), membership.persona];
    }),
    table(
      'organizations',
      'id name alias federal_tax_id state_tax_id active listed metadata organization_address_id created_at updated_at deleted_at',
      function* () {
        for (let n = 0; n < organizations; n += 1) {
          const metadata = n % 4 === 0 ? `{"segment": "grãos", "members": ${n % 500}}` : null;
          const head = [organizationId(n), nameOf(n), aliasOf(n), taxId(n), n % 3 === 0 ? String(n) : null, n % 10 !== 0, n % 7 !== 0];
          yield [...head, metadata, addressId(2 * n), ...times(n), deletedAt(n)];
        }
      },
    ),
    table(
      'organization_addresses',
      'id organization_id zip_code street number district city_code state_code latitude longitude valid_from valid_to',
      function* () {
        const address = (n: number, previous: boolean, from: string, to: string | null): Value[] => {
          const [city, state] = cities[n % cities.length] ?? cities[0];
          const id = addressId(2 * n + (previous ? 1 : 0));
          const place = [streetOf(n), String(n % 2000), placeOf(n), city, state, -23.5 + (n % 100) / 10, -46.6 + (n % 90) / 10];
          return [id, organizationId(n), String(10_000_000 + (n % 89_999_999)), ...place, from, to];
        };
        for (let n = 0; n < organizations; n += 1) {
          const [created] = times(n);
          yield address(n, false, created, null);
          // Every fifth organization has moved.
          if (n % 5 === 0) yield address(n, true, '2023-01-01T00:00:00Z', created);
        }
      },
    ),
    table('organization_contacts', 'id organization_id type description value is_primary created_at updated_at', function* () {
      for (let n = 0; n < organizations; n += 1) {
        const id = (index: number) => idOf('contact', 2 * n + index, organizations * 2);
        yield [id(0), organizationId(n), 'EMAIL', 'Escritório', `contato${n}@example.com`, true, ...times(n)];
        yield [id(1), organizationId(n), 'PHONE', null, `+55 11 5555-${String(n % 10_000).padStart(4, '0')}`, false, ...times(n)];
      }
    }),
    table('organization_tenants', 'tenant_id organization_id', function* () {
      for (let n = 0; n < organizations; n += 1) {
        for (const link of links.tenantsOf(n)) yield [tenantId(link.tenant, size), organizationId(n)];
      }
    }),
  ];
}

export const tenantId = (n: number, { tenants }: Size): string => idOf('tenant', n, tenants.length);
/** The client at the identity provider that belongs to a tenant. */
export const clientOf = (n: number): string => `application-${n}`;
const taxId = (n: number): string => String(n).padStart(14, '0');
