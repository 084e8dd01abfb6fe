import { endpoints } from '@profile-service/contracts';
import { campinas, curitiba, exampleOf, praca } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordsOf } from '../endpoints/fixture.ts';
import type { Actor } from '../support/api.ts';
import { upload } from '../support/files.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { User } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';

/** Pages, order and filters of all lists with pages. */
const world = useWorldWithMap();

type Item = Record<string, unknown>;
interface Page {
  data: Item[];
  total: number;
  totalPages: number;
  currentPage: number;
}
const read = (actor: Actor, path: string, query: string) => world.call<Page>(actor, `GET ${path}?${query}`);
const create = (path: string, body: object) => world.create<{ id: string }>(`POST /api/${path}`, body);

const reads = endpoints.filter(({ endpoint }) => (endpoint.method as string) === 'GET').map(({ endpoint }) => endpoint);
const lists = endpoints.filter(({ endpoint }) => 'page' in endpoint.query);

describe.each(lists)('$name', ({ name, endpoint: { path, access } }) => {
  const tenant = useTenant(world);
  // More than one default page of each resource. States and cities are loaded.
  beforeAll(async () => {
    if (/states|cities/.test(path)) return;
    const records = { ...recordsOf(world, tenant), tenant, foreign: tenant };
    for (let index = 0; index < 21; index += 1) {
      if (!/organization|attachments|documents/.test(path)) {
        await world.create(`POST ${path}`, await exampleOf(name.replace('.list', '.create')).valid(records));
        continue;
      }
      const { id: entityId } = await organizationOf(world, tenant, { contacts: [{ type: 'PHONE', value: '1' }] });
      if (/attachments|documents/.test(path)) await upload(world, world.global, { entityId });
    }
  });
  const get = (query: string) => read(access.kind === 'service' ? tenant.service : world.global, path, query);

  // Rules: DOCTYPES-4, INPUT-7, LISTS-1, LISTS-2
  test('returns page 1 with 20 records by default', async () => {
    const { status, body } = await get('');
    expect(status).toBe(200);
    expect(body).toMatchObject({ currentPage: 1, totalPages: Math.ceil(body.total / 20) });
    expect(body.data).toHaveLength(Math.min(body.total, 20));
    expect((await get('page=&limit=&unknown=1')).body).toEqual(body);
    expect((await get('limit=100')).body.data).toHaveLength(Math.min(body.total, 100));
  });

  // Rules: ADDRESSES-13, APPS-3, CONTACTS-8, CUSTOMERS-5, DOCTYPES-4, LISTS-1, LISTS-3, LISTS-5, TENANTS-4, USERS-1, USERS-15, WEBHOOKS-9
  test('returns each record on exactly one page, newest first, and an empty page after the end', async () => {
    const { body: all } = await get('limit=100');
    expect(all.total).toBeGreaterThan(20);
    // Ids are in the order of creation. States and cities, which are sorted by name, have none.
    const ids = all.data.flatMap(({ id }) => id ?? []);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const pages = await Promise.all([1, 2, 3, 4].map((page) => get(`limit=7&page=${page}`)));
    expect(pages.flatMap(({ body }) => body.data)).toEqual(all.data.slice(0, 28));
    const end = { data: [], total: all.total, totalPages: Math.ceil(all.total / 7), currentPage: 2147483647 };
    expect((await get('limit=7&page=2147483647')).body).toEqual(end);
    const one = reads.find((each) => each.media === 'json' && each.path.startsWith(`${path}/{`) && each.path.endsWith('}'));
    const key = one && Object.keys(one.params)[0]!;
    const record = key ? (await world.call(world.global, `GET ${path}/${String(all.data[0]?.[key])}`)).body : all.data[0];
    expect(all.data[0]).toEqual(record);
  });

  // Rules: LISTS-2, USERS-15
  test('rejects other pages and limits', async () => {
    for (const query of 'page=0 page=-1 page=1.5 page=x page=2147483648 limit=0 limit=101 limit=1e1 limit=5&limit=5'.split(' '))
      expect(await get(query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: query.split('=')[0] }] } });
  });
});

describe('a list', () => {
  const collator = new Intl.Collator('pt-BR');

  // Rules: CITIES-5, LISTS-4, STATES-3
  test('of states or cities is in Portuguese order of the names, then of the codes', async () => {
    const names = (await read(world.global, '/api/states', 'limit=100')).body.data.map(({ name }) => String(name));
    expect(names).toEqual(names.toSorted(collator.compare));
    expect(names.filter((name) => name.startsWith('Par'))).toEqual(['Pará', 'Paraíba', 'Paraná']);
    const seen: Item[] = [];
    for (const page of [1, 2, 3, 4])
      seen.push(...(await read(world.global, '/api/cities', `stateCode=41&limit=100&page=${page}`)).body.data);
    expect(new Set(seen.map(({ ibgeCode }) => ibgeCode)).size).toBe(399);
    expect(seen).toEqual(seen.toSorted((one, other) => collator.compare(String(one['name']), String(other['name']))));
    const { data } = (await read(world.global, '/api/cities', 'name=bom%20jesus&limit=100')).body;
    const codes = data.filter(({ name }) => name === 'Bom Jesus').map(({ ibgeCode }) => Number(ibgeCode));
    expect(codes.length).toBeGreaterThan(1);
    expect(codes).toEqual(codes.toSorted((one, other) => one - other));
  });
});

describe('the filters', () => {
  const tenant = useTenant(world);
  const viewer = useMember(world, tenant, 'viewer');
  const other = useTenant(world);
  const filteredTenant = useTenant(world);
  /** Ids that the queries name. In capitals, the id is sent in capitals. */
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    ids['customer'] = tenant.customerId;
    const { customerId } = tenant;
    for (const [name, email, fields] of [
      ['João São Paulo', 'joao@filter.example', { type: 'Cooperative' }],
      ['JOANA SAO PEDRO', 'joana@filter.example', { type: 'Coordinator', customerId }],
      ['100% Seguro', 'a_b@filter.example', {}],
      ['100 Seguros', 'axb@filter.example', { customerId }],
      ['João Deleted', 'gone@filter.example', {}],
    ] as const) {
      const { id } = await world.create<User>('POST /api/users', { ...world.newPerson(), ...fields, email });
      // The identity provider rejects some of these names at creation.
      await world.call(world.global, `PUT /api/users/${id}`, { name });
      if (name.endsWith('Deleted')) await world.call(world.global, `DELETE /api/users/${id}`);
    }
    ids['tenant'] = filteredTenant.id;
    ids['other'] = other.id;
    ids['buyer'] = (await create('customers', { name: 'Cliente FÍLTRADO', federalTaxId: '99887766000236' })).id;
    ids['app'] = (await create('apps', { name: 'Ação' })).id;
    await create('tenants', { name: 'Inquilino', customerId: ids['buyer'], appId: ids['app'] });
    for (const [name, persona] of [
      ['Filtered viewer', 'viewer'],
      ['Filtered admin', 'tenant-admin'],
    ] as const) {
      // The filters select users by their persona in the tenant, not by that in another one.
      const { id } = await world.person({ [filteredTenant.id]: persona, [(await world.tenant()).id]: 'viewer' });
      await world.call(world.global, `PUT /api/users/${id}`, { name });
    }
    await create('document-types', { name: 'Licença 100%', isActive: false });
    await create('document-types', { name: 'Licença_B', isRequired: true });
    await create('document-types', { name: 'Licença C', isActive: false, isRequired: true });

    const make = (name: string, fields: object = {}, of = tenant) => organizationOf(world, of, { name, ...fields });
    const mail = { type: 'EMAIL', value: 'a@example.com', isPrimary: true };
    const site = { type: 'URL', value: 'https://example.com' };
    ids['first'] = (await make('Cooperativa São João', { alias: 'Véu', listed: false, contacts: [mail] })).id;
    await create('organization-addresses', { organizationId: ids['first'], ...praca, ...curitiba, street: 'Moved' });
    const address = { ...praca, ...campinas, street: 'Campinas' };
    await make('COOPERATIVA SAO PEDRO', {
      active: false,
      address,
      contacts: [{ ...mail, value: 'b@example.com', isPrimary: false }, site],
    });
    for (const [name, fields] of [
      ['100% Café', {}],
      ['100 Cafés', { federalTaxId: '99887766000155' }],
      ['Under_score', { active: false, listed: false }],
    ] as const) {
      const { organizationAddressId } = await make(name, fields);
      await world.call(world.global, `DELETE /api/organization-addresses/${organizationAddressId}`);
    }
    await make('Cooperativa São Foreign', {}, other);
    await world.call(world.global, `DELETE /api/organizations/${(await make('Cooperativa São Gone')).id}`);
  });

  const saos = ['COOPERATIVA SAO PEDRO', 'Cooperativa São João'];
  /** Both route families have the same filters. The viewer and the application have the same tenant. */
  const ofOrganizations = ['/api/organizations', '/service/organizations'].flatMap((path): [string, string, string[]][] => [
    [path, 'name=são', saos],
    [path, 'name=0% c', ['100% Café']],
    [path, 'name=_', ['Under_score']],
    [path, 'active=false', ['COOPERATIVA SAO PEDRO', 'Under_score']],
    [path, 'listed=false', ['Cooperativa São João', 'Under_score']],
    [path, 'active=true&listed=false', ['Cooperativa São João']],
    [path, 'active=false&listed=false&name=under', ['Under_score']],
    [path, 'organizationId=FIRST', ['Cooperativa São João']],
    [path, 'search=são', saos],
    [path, 'search=VÉU', ['Cooperativa São João']],
    [path, 'search=99887766', ['100 Cafés']],
    [path, 'federalTaxId=99887766000155', ['100 Cafés']],
    [path, 'federalTaxId=99887766000156', []],
    [path, 'stateCode=35', ['COOPERATIVA SAO PEDRO']],
    [path, 'cityCode=4106902&active=true', ['Cooperativa São João']],
    [path, 'cityCode=3550308', []],
    [path, 'updatedSince=2020-01-01&name=under', ['Under_score']],
    [path, 'updatedSince=2990-01-01', []],
    [path, 'organizationId=first&active=false', []],
  ]);

  // Rules: ADDRESSES-14, APPS-3, AUTH-13, CITIES-6, CUSTOMERS-5, LISTS-14, TENANTS-4, CONTACTS-9, DOCTYPES-5, ORGANIZATIONS-7, ORGANIZATIONS-8, ORGANIZATIONS-9, RECORDS-5, STATES-4, USERS-16
  test.each([
    ...ofOrganizations,
    ['/api/users', 'name=SÃO', ['JOANA SAO PEDRO', 'João São Paulo']],
    ['/api/users', 'name=100_seg', []],
    ['/api/users', 'search=joan', ['JOANA SAO PEDRO']],
    ['/api/users', 'search=a_B@filter', ['100% Seguro']],
    ['/api/users', 'tenantId=tenant', ['Filtered admin', 'Filtered viewer']],
    ['/api/users', 'tenantId=tenant&persona=viewer', ['Filtered viewer']],
    ['/api/users', 'persona=tenant-admin&name=filtered', ['Filtered admin']],
    ['/api/users', 'tenantId=other', []],
    ['/api/users', 'updatedSince=2020-01-01&name=são', ['JOANA SAO PEDRO', 'João São Paulo']],
    ['/api/customers', 'name=filtr', ['Cliente FÍLTRADO']],
    ['/api/customers', 'federalTaxId=99887766000236&active=true', ['Cliente FÍLTRADO']],
    ['/api/customers', 'federalTaxId=99887766000236&active=false', []],
    ['/api/apps', 'name=ACAO', ['Ação']],
    ['/api/tenants', 'customerId=buyer', ['Inquilino']],
    ['/api/tenants', 'appId=app&active=true', ['Inquilino']],
    ['/api/tenants', 'name=quil&active=false', []],
    ['/api/users', 'email=@FILTER.example', ['100 Seguros', '100% Seguro', 'JOANA SAO PEDRO', 'João São Paulo']],
    ['/api/users', 'email=a_b@', ['100% Seguro']],
    ['/api/users', 'type=Cooperative&name=jo', ['João São Paulo']],
    ['/api/users', 'customerId=customer', ['100 Seguros', 'JOANA SAO PEDRO']],
    ['/api/users', 'customerId=CUSTOMER&type=Coordinator&name=sao&email=joana', ['JOANA SAO PEDRO']],
    ['/api/document-types', 'name=LICENCA', ['Licença 100%', 'Licença C', 'Licença_B']],
    ['/api/document-types', 'isActive=false', ['Licença 100%', 'Licença C']],
    ['/api/document-types', 'name=licença&isActive=true', ['Licença_B']],
    ['/api/document-types', 'isRequired=true', ['Licença C', 'Licença_B']],
    ['/api/document-types', 'name=licença&isRequired=false', ['Licença 100%']],
    ['/api/organization-addresses', 'organizationId=FIRST', ['Moved', praca.street]],
    ['/api/organization-addresses', 'cityCode=3550308', [praca.street]],
    ['/api/organization-addresses', 'stateCode=35', ['Campinas', praca.street]],
    ['/api/organization-addresses', 'currentOnly=true', ['Campinas', 'Moved']],
    ['/api/organization-addresses', 'currentOnly=false', ['Campinas', 'Moved', praca.street]],
    ['/api/organization-addresses', 'organizationId=first&stateCode=35&cityCode=3550308&currentOnly=true', []],
    ['/api/organization-contacts', 'organizationId=FIRST', ['a@example.com']],
    ['/api/organization-contacts', 'type=URL', ['https://example.com']],
    ['/api/organization-contacts', 'type=EMAIL', ['a@example.com', 'b@example.com']],
    ['/api/organization-contacts', 'isPrimary=true', ['a@example.com']],
    ['/api/organization-contacts', 'isPrimary=false', ['b@example.com', 'https://example.com']],
    ['/api/organization-contacts', 'organizationId=first&type=EMAIL&isPrimary=false', []],
    ['/api/states', 'name=sao', ['São Paulo']],
    ['/api/states', 'uf=sp', ['São Paulo']],
    ['/api/states', 'uf=S', []],
    ['/api/states', 'region=sul&name=grande', ['Rio Grande do Sul']],
    ['/api/states', 'uf=SP&region=Sul', []],
    ['/api/cities', 'name=sao paulo', ['São Paulo', 'São Paulo das Missões', 'São Paulo de Olivença', 'São Paulo do Potengi']],
    ['/api/cities', 'name=paulo&stateCode=35&capital=true', ['São Paulo']],
    ['/api/cities', 'name=curitib&capital=false', ['Curitibanos']],
  ])('of %s: %s', async (path, query, found) => {
    const search = new URLSearchParams({ limit: '100' });
    for (const [, name = '', value = ''] of query.matchAll(/(\w+)=([^&]*)/g)) {
      const id = ids[value.toLowerCase()];
      search.set(name, id === undefined ? value : value === value.toLowerCase() ? id : id.toUpperCase());
    }
    const actor = path.startsWith('/service') ? tenant.service : path.includes('organization') ? viewer : world.global;
    const { data, total } = (await read(actor, path, search.toString())).body;
    expect(data.map(({ name, street, value }) => name ?? street ?? value).toSorted()).toEqual(found.toSorted());
    expect(total).toBe(found.length);
  });
});
