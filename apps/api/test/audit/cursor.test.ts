import { describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { type Entry, readEntries } from './entries.ts';

/** The pages of the audit log. */
const world = useWorld();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

/** Adds entries after all others, some with the same time. @returns their ids, newest first */
async function addEntries(count: number, tenantId: string | null = tenant.id): Promise<string[]> {
  const rows = await world.sql<{ id: string }>(
    `with added as (
       insert into journal (id, occurred_at, actor_kind, operation, tenant_id)
       select gen_random_uuid(), latest + (i / 3 + 1) * interval '1 millisecond', 'SYSTEM', 'test', $2
       from generate_series(1, $1) as i, (select max(occurred_at) as latest from journal) as before returning id, occurred_at
     ) select id from added order by occurred_at desc, id desc`,
    [count, tenantId],
  );
  return rows.map(({ id }) => id);
}

type Query = Record<string, string>;
const read = (actor: Actor, query: Query) => readEntries(world, actor, new URLSearchParams(query).toString());
const idsOf = (entries: Entry[]) => entries.map(({ id }) => id);

/** Reads all pages. @param between runs after each page */
async function readPages(actor: Actor, query: Query, between: () => Promise<unknown> = async () => undefined) {
  const pages: Entry[][] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await read(actor, { ...query, cursor });
    pages.push(page.data);
    cursor = page.nextCursor;
    await between();
  }
  return pages;
}

describe.each<[string, () => Actor]>([
  ['a tenant-admin', () => admin],
  ['a Global user without a tenant', () => world.global],
])('%s', (_, actor) => {
  // Rules: AUDIT-22
  test('reads each entry on exactly one page while others are added', async () => {
    const ids = await addEntries(40);
    const later: string[] = [];
    const pages = await readPages(actor(), { operation: 'test', limit: '7' }, async () => later.push(...(await addEntries(4))));
    const found = idsOf(pages.flat());
    expect(new Set(found).size).toBe(found.length);
    expect(found.slice(0, ids.length)).toEqual(ids);
    expect(found.some((id) => later.includes(id))).toBe(false);
  });

  // Rules: AUDIT-21
  test('gets 20 entries by default, at most 100, and no cursor on the last page', async () => {
    const ids = await addEntries(101);
    expect(idsOf((await read(actor(), { operation: 'test' })).data)).toEqual(ids.slice(0, 20));
    const full = await read(actor(), { operation: 'test', limit: '100' });
    expect(idsOf(full.data)).toEqual(ids.slice(0, 100));
    expect(full.nextCursor).toEqual(expect.any(String));
    const startDate = full.data.at(-1)?.occurredAt ?? '';
    const pages = await readPages(actor(), { operation: 'test', startDate, limit: '1' });
    expect(pages.every((page) => page.length === 1)).toBe(true);
    expect(idsOf(pages.flat()).slice(0, 100)).toEqual(ids.slice(0, 100));
  });
});

describe('a cursor', () => {
  const refused = { status: 400, code: 'VALIDATION_FAILED', body: { errors: [{ path: 'cursor' }] } };
  const use = (cursor: string, query = '') => world.call(admin, `GET /api/audit-entries?${query}&cursor=${encodeURIComponent(cursor)}`);
  const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
  const decode = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Record<string, unknown>;
  const newCursor = async (query: Query = {}) => {
    await addEntries(5);
    return (await read(admin, { limit: '2', ...query })).nextCursor ?? '';
  };

  test('is rejected if it is malformed, or if PostgreSQL cannot store its time', async () => {
    const valid = decode(await newCursor());
    const times = ['0000-01-01T00:00:00.000Z', '2026-13-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z', 'now'];
    const contents = [null, [], { ...valid, id: undefined }, { ...valid, id: '7' }, ...times.map((at) => ({ ...valid, at }))];
    const texts = ['nö!', Buffer.from('{"at":').toString('base64url'), 'e'.repeat(1025)];
    for (const cursor of [...contents.map(encode), ...texts]) expect(await use(cursor)).toMatchObject(refused);
  });

  // Rules: AUDIT-23
  test('is rejected with other filters, and accepted with another limit and the same filters in another form', async () => {
    const cursor = await newCursor({ endDate: '2990-01-01', operation: 'test' });
    const same = 'operation=test&endDate=2990-01-01T23:59:59.999Z&recordId=';
    for (const query of ['', 'operation=test', `${same}&outcome=COMMITTED`, `${same}&tenantId=${tenant.id}`])
      expect(await use(cursor, query)).toMatchObject(refused);
    expect((await use(cursor, `${same}&limit=50`)).status).toBe(200);
  });

  // Rules: AUDIT-23
  test('shows no entry that the caller may not see, whoever made it', async () => {
    const other = await world.tenant();
    const foreign = await addEntries(3, other.id);
    const { nextCursor } = await read(world.global, { limit: '1' });
    const forged = encode({ ...decode(nextCursor ?? ''), at: '2990-01-01T00:00:00.000Z' });
    for (const cursor of [nextCursor ?? '', forged]) {
      const { data } = await read(admin, { cursor, limit: '100' });
      expect(idsOf(data).filter((id) => foreign.includes(id))).toEqual([]);
      expect(data.length).toBeGreaterThan(0);
    }
  });
});

// Rules: AUDIT-18, LISTS-7
test('an endDate without a time includes that day, in UTC', async () => {
  const { start } = (await world.sql<{ start: string }>("select to_char(now() at time zone 'UTC', 'YYYY-MM') as start"))[0]!;
  const insert = `insert into journal (id, occurred_at, actor_kind, operation) values (gen_random_uuid(), $1, 'SYSTEM', $2)`;
  for (const [index, time] of ['20T23:59:59.999Z', '21T00:00:00.000Z'].entries())
    await world.sql(insert, [`${start}-${time}`, `day ${index}`]);
  const operations = async (query: Record<string, string>) =>
    (await read(world.global, { ...query, limit: '100' })).data.map(({ operation }) => operation);
  expect(await operations({ startDate: `${start}-20`, endDate: `${start}-20` })).toEqual(['day 0']);
  expect(await operations({ startDate: `${start}-21`, endDate: `${start}-21T00:00:00Z` })).toEqual(['day 1']);
});
