import { endpoints } from '@profile-service/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { upload } from '../support/files.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';

/** All lists with pages. */
const lists = endpoints.filter(({ endpoint }) => 'page' in endpoint.query).map(({ endpoint }) => endpoint);

interface Page {
  data: { id?: string }[];
  total: number;
  totalPages: number;
  currentPage: number;
}

const world = useWorldWithMap();
let service: { token: string };
beforeAll(async () => {
  const tenant = await world.tenant();
  service = tenant.service;
  // More than one default page of each resource.
  for (let index = 0; index < 21; index += 1) {
    await world.tenant();
    await world.person();
    await world.create('POST /api/document-types', { name: world.newTaxId() });
    const { id: entityId } = await organizationOf(world, tenant, { contacts: [{ type: 'PHONE', value: '1' }] });
    await upload(world, world.global, { entityId });
  }
});

describe.each(lists)('$method $path', ({ path, access }) => {
  const get = (query: string) => world.call<Page>(access.kind === 'service' ? service : world.global, `GET ${path}?${query}`);

  // Rules: DOCTYPES-4, INPUT-7, LISTS-1, LISTS-2
  test('returns page 1 with 20 records by default', async () => {
    const { status, body } = await get('');
    expect(status).toBe(200);
    expect(body).toMatchObject({ currentPage: 1, totalPages: Math.ceil(body.total / 20) });
    expect(body.data).toHaveLength(Math.min(body.total, 20));
    expect((await get('page=&limit=&unknown=1')).body).toEqual(body);
    expect((await get('limit=100')).body.data).toHaveLength(Math.min(body.total, 100));
  });

  // Rules: ADDRESSES-13, APPS-3, CONTACTS-8, CUSTOMERS-5, DOCTYPES-4, LISTS-1, LISTS-3, LISTS-5
  test('returns each record on exactly one page, newest first, and an empty page after the end', async () => {
    const { body: all } = await get('limit=100');
    expect(all.total).toBeGreaterThan(20);
    // Ids are in the order of creation. States and cities, which are sorted by name, have none.
    const ids = all.data.flatMap(({ id }) => id ?? []);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const pages = await Promise.all([1, 2, 3, 4].map((page) => get(`limit=7&page=${page}`)));
    expect(pages.flatMap(({ body }) => body.data)).toEqual(all.data.slice(0, 28));
    const { total } = all;
    expect((await get('limit=7&page=2147483647')).body).toEqual({
      data: [],
      total,
      totalPages: Math.ceil(total / 7),
      currentPage: 2147483647,
    });
  });

  // Rules: LISTS-2, USERS-15
  test.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'limit=0', 'limit=101', 'limit=1e1', 'page=2147483648', 'limit=5&limit=5'])(
    'rejects %s',
    async (query) => {
      const { status, body } = await get(query);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: query.split('=')[0] }] });
    },
  );
});
