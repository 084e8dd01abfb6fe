import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Api, createApi, outcome } from '../support/api.ts';
import { form, lookInto, pdf } from '../support/files.ts';
import { linkedOrganization } from '../support/organizations.ts';
import type { Person, Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import { absentId } from '../support/records.ts';
import type { ServiceOptions } from '../../src/service.ts';
import { refusalsOf } from '../support/refusals.ts';
import { startWorld, type World } from '../support/world.ts';

/** One tenant may use two of the four connections. What is locked here lets nobody go on who asks for it. */
let world: World;
let busy: Tenant;
let busyOne: Person;
let other: Person;
let organizationId: string;
let impatient: Api;
beforeAll(async () => {
  world = await startWorld();
  busy = await world.tenant();
  busyOne = await world.person({ [busy.id]: 'tenant-admin' });
  other = await world.person({ [(await world.tenant()).id]: 'viewer' });
  organizationId = await linkedOrganization(world, busy.id);
  impatient = await startWith({ tenantLimits: { waitMs: 200 } });
});
afterAll(() => world.stop());

const startWith = async (options: ServiceOptions = {}) => createApi((await world.another({ DATABASE_POOL_MAX: '4' }, options)).url);
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const locked = (table: string): [string, unknown[]] => [`lock table ${table} in access exclusive mode`, []];
const countOf = (outcomes: unknown[]) => {
  const counts: Record<string, number> = {};
  for (const each of outcomes) counts[String(each)] = (counts[String(each)] ?? 0) + 1;
  return counts;
};

describe('a tenant that waits for the database with all it has leaves connections to the others:', () => {
  test.each<[what: string, table: string, ask: (api: Api, index: number) => Promise<Answer<unknown>>]>([
    ['reads', 'organizations', (api) => api.call(busyOne, 'GET /api/organizations?name=zzz')],
    ['writes', 'organizations', (api) => api.call(busyOne, `PUT /api/organizations/${organizationId}`, { name: 'Renamed' })],
    ['uploads', 'attachments', (api) => api.call(busyOne, 'POST /api/attachments', form(['file', pdf()]))],
    ['downloads', 'attachments', (api) => api.call(busyOne, `GET /api/attachments/${organizationId}`)],
    [
      'people and their application',
      'organizations',
      (api, index) => (index % 2 ? api.call(busyOne, 'GET /api/organizations') : api.call(busy.service, 'GET /service/organizations')),
    ],
  ])('%s', async (_what, table, ask) => {
    const answered: unknown[] = [];
    const all = () => times(12, async (index) => answered.push(outcome(await ask(impatient, index))));
    await raceAgainst(world, locked(table), all, async () => {
      expect(outcome(await impatient.call(other, 'GET /api/states'))).toBe(200);
      await expect.poll(() => answered).toEqual(Array.from({ length: 10 }, () => 'RATE_LIMITED'));
      expect(outcome(await impatient.call(other, 'GET /api/me/tenants'))).toBe(200);
    });
    expect(answered.slice(10).every((each) => each !== 'RATE_LIMITED' && each !== 'SERVICE_UNAVAILABLE')).toBe(true);
    expect((await lookInto(world).keys()).length).toBe((await world.sql('select 1 from attachments')).length);
  });

  test('the calls of a batch, and the metrics count what is refused', async () => {
    const service = await world.another({ DATABASE_POOL_MAX: '4', MANAGEMENT_PORT: '0' }, { tenantLimits: { waitMs: 200 } });
    const batch = async ({ token }: Person, names: string[]) => {
      const answer = await fetch(`${service.url}/trpc/${names.join()}?batch=1`, { headers: { authorization: `Bearer ${token}` } });
      const calls = (await answer.json()) as { error?: { data: { problem: { code: string } } } }[];
      return calls.map(({ error }) => error?.data.problem.code ?? 200);
    };
    const lists = () =>
      batch(
        busyOne,
        Array.from({ length: 12 }, () => 'organizations.list'),
      );
    const answers = await raceAgainst(world, locked('organizations'), lists, async () => {
      expect(await batch(other, ['states.list', 'me.tenants'])).toEqual([200, 200]);
      await expect.poll(() => refusalsOf(service)).toBe(10);
    });
    expect(countOf(answers)).toEqual({ 200: 2, RATE_LIMITED: 10 });
  });
});

test('what waits its turn goes on in the end, and none is lost', async () => {
  const patient = await startWith({ tenantLimits: { waitMs: 60_000 } });
  const answers = await raceAgainst(
    world,
    locked('organizations'),
    () => times(40, () => patient.call(busyOne, 'GET /api/organizations')),
    async () => expect(outcome(await patient.call(other, 'GET /api/states'))).toBe(200),
  );
  expect(countOf(answers.map(outcome))).toEqual({ 200: 40 });
});

describe('a turn is given back', () => {
  /** One at a time, and who waits is refused at once. */
  const startAlone = async () => createApi((await world.another({ DATABASE_POOL_MAX: '2' }, { tenantLimits: { waitMs: 50 } })).url);

  test('by what was refused, whatever for', async () => {
    const alone = await startAlone();
    const taxId = world.newTaxId();
    const make = { name: 'Made', federalTaxId: taxId, address: {} };
    const ask: [string, unknown?][] = [
      [`GET /api/organizations/${absentId}`],
      [`PUT /api/organizations/${organizationId}`, { name: 1 }],
      [`PUT /api/organizations/${absentId}`, { name: 'Nobody' }],
      ['POST /api/organizations', make],
      ['GET /api/organizations?limit=0'],
    ];
    for (const [target, body] of [...ask, ...ask]) {
      expect(outcome(await alone.call(busyOne, target, body))).toMatch(/NOT_FOUND|VALIDATION_FAILED/);
      expect(outcome(await alone.call(busyOne, 'GET /api/organizations'))).toBe(200);
    }
  });

  test('by a statement that failed, and by clients that went away before or after their turn had come', async () => {
    const alone = await startAlone();
    const leaving = new AbortController();
    const url = (await world.another({ DATABASE_POOL_MAX: '2' }, { tenantLimits: { waitMs: 60_000 } })).url;
    const headers = { authorization: `Bearer ${busyOne.token}` };
    const leave = () => times(5, () => fetch(`${url}/api/organizations`, { headers, signal: leaving.signal }).catch(() => undefined));
    await raceAgainst(world, locked('organizations'), leave, async () => leaving.abort());
    expect(outcome(await createApi(url).call(busyOne, 'GET /api/organizations'))).toBe(200);

    const broken = raceAgainst(
      world,
      locked('organizations'),
      () => alone.call(busyOne, 'GET /api/organizations'),
      () =>
        world.sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
    );
    expect(outcome(await broken)).toBe('SERVICE_UNAVAILABLE');
    expect(outcome(await alone.call(busyOne, 'GET /api/organizations'))).toBe(200);
  });
});
