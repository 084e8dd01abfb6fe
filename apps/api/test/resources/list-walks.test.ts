import { endpoints, type List } from '@profile-service/contracts';
import { exampleOf, type Input } from '@profile-service/contracts/examples';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { recordsOf } from '../endpoints/fixture.ts';
import type { Actor } from '../support/api.ts';
import { upload } from '../support/files.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { useMember, useTenant } from '../support/use-people.ts';

/** Sort, cursors and filters of all lists with pages, from their declarations. */
const world = useWorldWithMap();

type Item = Record<string, unknown>;
interface Page {
  data: Item[];
  nextCursor: string | null;
}
const lists = endpoints.flatMap(({ name, endpoint }) => (endpoint.list ? [{ name, endpoint, list: endpoint.list }] : []));

/** Random walks per list. A failure prints the seed and the path that repeat it. */
const numRuns = Number(process.env['LIST_WALKS'] ?? 12);

const collator = new Intl.Collator('pt-BR');
const compareValues = (one: unknown, other: unknown): number =>
  typeof one === 'string' && typeof other === 'string' ? collator.compare(one, other) : Number(one) - Number(other);
const isTime = (schema: z.ZodType) => JSON.stringify(z.toJSONSchema(schema)).includes('"date-time"');

/** Compares as the list is sorted: null last in both directions, then the next field, the key last. */
function compare({ sortable, key, order }: List, sort: readonly string[] | undefined) {
  const fields = [...(sort ?? [order])];
  if (!fields.some((field) => field.endsWith(key) && field.replace('-', '') === key))
    fields.push((fields.at(-1)?.startsWith('-') ? '-' : '') + key);
  return (one: Item, other: Item): number => {
    for (const field of fields) {
      const name = field.replace('-', '');
      const [a, b] = [one[name], other[name]];
      if (a === b) continue;
      if (a === null || b === null) return a === null ? 1 : -1;
      const isPlain = name === key || name.endsWith('Id') || isTime(sortable[name] as z.ZodType);
      const difference = isPlain && typeof a === 'string' && typeof b === 'string' ? (a < b ? -1 : 1) : compareValues(a, b);
      if (difference !== 0) return field.startsWith('-') ? -difference : difference;
    }
    return 0;
  };
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join() : String(value));
const queryOf = (input: Input): string =>
  new URLSearchParams(
    Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [[name, textOf(value)] as [string, string]])),
  ).toString();

describe.each(lists)('$name', ({ name, endpoint: { path, access }, list }) => {
  const tenant = useTenant(world);
  const member = useMember(world, tenant, 'tenant-admin');
  const records = () => ({ ...recordsOf(world, tenant), tenant, foreign: tenant });
  const create = exampleOf.bind(undefined, name.replace('service.', '').replace('.list', '.create'));
  const isFile = /attachments|documents/.test(path);
  const isScoped = /organization/.test(path);

  /** Creates a record of the list. Returns the path of the record. */
  async function add(index: number): Promise<string> {
    if (isFile) {
      const { id: entityId } = await organizationOf(world, tenant);
      return `/api/attachments/${(await upload(world, index % 2 ? member : world.global, { entityId, description: `d${index % 3}` })).body.id}`;
    }
    if (path.endsWith('/organizations')) {
      const contacts = index % 2 ? [{ type: 'PHONE', value: '1' }] : [];
      const { id } = await organizationOf(world, tenant, {
        name: names[index % names.length],
        alias: index % 3 ? `b${index % 2}` : null,
        active: index % 2 === 0,
        contacts,
      });
      return `/api/organizations/${id}`;
    }
    const valid = (await create().valid(records())) as Input;
    const organizationId = isScoped ? (await organizationOf(world, tenant)).id : undefined;
    const optional = index % 2 ? await create().optional?.(records()) : {};
    const body = { ...valid, ...optional, ...(organizationId ? { organizationId } : {}) };
    const made = await world.create<Item>(`POST ${path}`, body);
    return `${path}/${String(made[list.key])}`;
  }

  const stable = new Set<unknown>();
  let all: Item[] = [];
  /** The list of cities is too long for one page. */
  const always: Input = name === 'cities.list' ? { stateCode: 16 } : {};
  const actors = (): Actor[] =>
    access.kind === 'service' ? [tenant.service] : isScoped || path.endsWith('attachments') ? [world.global, member] : [world.global];
  const get = (actor: Actor, input: Input) => world.call<Page>(actor, `GET ${path}?${queryOf({ ...always, ...input })}`);

  beforeAll(async () => {
    if (!/states|cities/.test(path)) for (let index = 0; index < 14; index += 1) await add(index);
    all = (await get(actors().at(-1)!, { limit: 100 })).body.data;
    for (const record of all) stable.add(record[list.key]);
  });

  async function walk(actor: Actor, input: Input): Promise<Item[]> {
    const seen: Item[] = [];
    let cursor: string | null = '*';
    while (cursor !== null) {
      const { status, body } = await get(actor, { ...input, cursor });
      expect([status, Object.keys(body).toSorted()], queryOf(input)).toEqual([200, ['data', 'nextCursor']]);
      seen.push(...body.data);
      cursor = body.nextCursor;
    }
    return seen;
  }

  // Rules: LISTS-8
  test.each(Object.keys(list.sortable))('is sorted by %s in both directions', async (field) => {
    for (const sort of [[field], [`-${field}`]]) {
      const { body } = await get(actors().at(-1)!, { sort, limit: 100 });
      expect(body.data).toHaveLength(all.length);
      expect(body.data).toEqual(body.data.toSorted(compare(list, sort)));
      expect(await walk(actors().at(-1)!, { sort, limit: 9 })).toEqual(body.data);
    }
  });

  // Rules: LISTS-9, LISTS-11, LISTS-13
  test('rejects other fields and cursors', async () => {
    const [actor] = actors() as [Actor];
    const field = Object.keys(list.sortable)[0]!;
    const next = (await get(actor, { cursor: '*', limit: 1 })).body.nextCursor;
    const altered = (change: object) =>
      Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(next!, 'base64url').toString()), ...change })).toString('base64url');
    for (const [input, at] of [
      [{ sort: 'metadata' }, 'sort.0'],
      [{ sort: `${field},-${field}` }, 'sort'],
      [{ sort: `+${field}` }, 'sort.0'],
      [{ page: 1, cursor: '*' }, 'cursor'],
      [{ cursor: 'x' }, 'cursor'],
      [{ cursor: next, sort: field }, 'cursor'],
      [{ cursor: next, ids: textOf([...stable].slice(0, 2)) }, 'cursor'],
      [{ cursor: altered({ after: [] }) }, 'cursor'],
      [{ cursor: altered({ after: ['\u0000', '\u0000'] }) }, 'cursor'],
      [{ ids: 'x' }, 'ids.0'],
      [{ ids: Array(101).fill([...stable][0]) }, 'ids'],
    ] as [Input, string][])
      expect(await get(actor, input), queryOf(input)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', errors: [{ path: at }] },
      });
  });

  /** A value of each filter that matches this record, as far as a filter has the name of a field. */
  const filtersOf = (record: Item): Input => {
    const text = textOf(record['name'] ?? '');
    const values: Input = {
      ...record,
      name: text.slice(1, 5),
      search: text.slice(0, 4),
      startDate: record['createdAt'],
      endDate: record['createdAt'],
      updatedSince: record['updatedAt'],
    };
    const known = ['ids', ...Object.keys(list.filters)].filter((filter) => values[filter] !== undefined && values[filter] !== null);
    return { ...Object.fromEntries(known.map((filter) => [filter, values[filter]])), ids: [record[list.key], ...[...stable].slice(0, 20)] };
  };

  const changeable = exampleOf.bind(
    undefined,
    name.replace('service.documents', 'attachments').replace('service.', '').replace('.list', '.update'),
  );
  /** Creates, changes and deletes other records until it is told to stop. */
  async function churn(isOver: () => boolean): Promise<void> {
    for (let index = 0; !isOver(); index += 1) {
      const record = await add(index);
      const { version: _, ...changes } = ((await changeable().changes?.(records())) ?? {}) as Input;
      await world.call(world.global, `PUT ${record}`, changes);
      if (index % 2) await world.call(world.global, `DELETE ${record}`);
    }
  }

  // Rules: LISTS-1, LISTS-3, LISTS-10, LISTS-12, LISTS-13, LISTS-14
  test(
    'walks by cursors return each unchanged record once, while others are created, changed and deleted',
    { timeout: 120_000 },
    async () => {
      let isOver = false;
      const writing = churn(() => isOver);
      const walks = fc.record({
        actor: fc.constantFrom(...actors()),
        limit: fc.integer({ min: 1, max: 6 }),
        sort: fc.option(
          fc
            .shuffledSubarray(Object.keys(list.sortable), { minLength: 1 })
            .chain((fields) => fc.tuple(...fields.map((field) => fc.constantFrom(field, `-${field}`)))),
          { nil: undefined },
        ),
        filters: fc.constantFrom(...all).chain((record) => {
          const values = filtersOf(record);
          return fc.subarray(Object.keys(values)).map((chosen) => Object.fromEntries(chosen.map((filter) => [filter, values[filter]])));
        }),
      });
      try {
        await fc.assert(
          fc.asyncProperty(walks, async ({ actor, limit, sort, filters }) => {
            const input = { ...filters, sort };
            const isStable = (record: Item) => stable.has(record[list.key]);
            const expected = (await get(actor, { ...input, ids: filters['ids'] ?? [...stable], limit: 100 })).body.data.filter(isStable);
            const seen = (await walk(actor, { ...input, limit })).filter(isStable);
            expect(seen, queryOf(input)).toEqual(expected);
            expect(expected).toEqual(expected.toSorted(compare(list, sort)));
          }),
          { numRuns },
        );
      } finally {
        isOver = true;
        await writing;
      }
    },
  );
});

/** Equal texts but for case and accents, and some that begin with a character besides letters. */
const names = [
  'Água',
  'agua',
  'Agua',
  'ÁGUA',
  'Zebu',
  'abacate',
  'Ábaco',
  'União 2',
  'União 10',
  'Éden',
  'éden',
  'Cooperativa',
  'cooperativa',
  'Cooperativa B',
];
