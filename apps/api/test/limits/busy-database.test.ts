import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { type ApiResponse, type Api, createApi, outcome } from '../support/api.ts';
import { form, lookInto, pdf } from '../support/files.ts';
import { metricOf } from '../support/metrics.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { linkedOrganization } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const other = useMember(world, useTenant(world), 'viewer');
const busy = useTenant(world);
const busyOne = useMember(world, busy, 'tenant-admin');
let organizationId: string;
/** A tenant may use two of the four connections. Other requests wait for 200 ms. */
let service: Service;
let api: Api;
beforeAll(async () => {
  organizationId = await linkedOrganization(world, busy.id);
  service = await start('4', 200);
  api = createApi(service.url);
});

const start = (connections: string, waitMs: number) =>
  world.another({ DATABASE_POOL_MAX: connections, MANAGEMENT_PORT: '0' }, { tenantLimits: { waitMs } });
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
/** Blocks every request that uses the table. */
const lock = (table: string): [string, unknown[]] => [`lock table ${table} in access exclusive mode`, []];
/** The number of requests that the service refused because of a concurrency limit of their tenant. */
const refusals = () => metricOf(service, 'profile_rate_limited_total', /limit="tenant"/);
const list = (to: Api) => to.call(busyOne, 'GET /api/organizations');

describe('a tenant whose requests all wait for the database leaves connections to other tenants:', () => {
  test.each<[what: string, table: string, call: (index: number) => Promise<ApiResponse<unknown>>]>([
    ['reads', 'organizations', () => api.call(busyOne, 'GET /api/organizations?name=zzz')],
    ['writes', 'organizations', () => api.call(busyOne, `PUT /api/organizations/${organizationId}`, { name: 'Renamed' })],
    ['uploads', 'attachments', () => api.call(busyOne, 'POST /api/attachments', form(['file', pdf()]))],
    ['downloads', 'attachments', () => api.call(busyOne, `GET /api/attachments/${organizationId}`)],
    [
      'requests of users and of the application',
      'organizations',
      (index) => (index % 2 ? list(api) : api.call(busy.service, 'GET /service/organizations')),
    ],
  ])('%s', async (_what, table, call) => {
    const answered: unknown[] = [];
    const all = () => times(12, async (index) => answered.push(outcome(await call(index))));
    await raceAgainst(world, lock(table), all, async () => {
      expect(outcome(await api.call(other, 'GET /api/states'))).toBe(200);
      await expect.poll(() => answered).toEqual(Array.from({ length: 10 }, () => 'RATE_LIMITED'));
      expect(outcome(await api.call(other, 'GET /api/me/tenants'))).toBe(200);
    });
    expect(answered.slice(10).every((each) => each !== 'RATE_LIMITED' && each !== 'SERVICE_UNAVAILABLE')).toBe(true);
    expect((await lookInto(world).keys()).length).toBe((await world.sql('select 1 from attachments')).length);
  });

  test('calls of a batch, and the metrics count the refused ones', async () => {
    const before = await refusals();
    const batch = async ({ token }: Person, names: string[]) => {
      const answer = await fetch(`${service.url}/trpc/${names.join()}?batch=1`, { headers: { authorization: `Bearer ${token}` } });
      const calls = (await answer.json()) as { error?: { data: { problem: { code: string } } } }[];
      return calls.map(({ error }) => error?.data.problem.code ?? 'success');
    };
    const lists = Array.from({ length: 12 }, () => 'organizations.list');
    const answers = await raceAgainst(
      world,
      lock('organizations'),
      () => batch(busyOne, lists),
      async () => {
        expect(await batch(other, ['states.list', 'me.tenants'])).toEqual(['success', 'success']);
        await expect.poll(refusals).toBe(before + 10);
      },
    );
    expect(answers.filter((answer) => answer === 'success')).toHaveLength(2);
    expect(answers.filter((answer) => answer === 'RATE_LIMITED')).toHaveLength(10);
  });
});

describe('a database slot is released', () => {
  /** A tenant may use one connection. */
  let alone: Api;
  beforeAll(async () => (alone = createApi((await start('2', 5_000)).url)));

  test('by every refused request', async () => {
    const refused: [string, unknown?][] = [
      [`GET /api/organizations/${absentId}`],
      [`PUT /api/organizations/${organizationId}`, { name: 1 }],
      [`PUT /api/organizations/${absentId}`, { name: 'Nobody' }],
      ['POST /api/organizations', { name: 'Made', federalTaxId: world.newTaxId(), address: {} }],
      ['GET /api/organizations?limit=0'],
    ];
    for (const [target, body] of refused) {
      expect(outcome(await alone.call(busyOne, target, body))).toMatch(/NOT_FOUND|VALIDATION_FAILED/);
      expect(outcome(await list(alone))).toBe(200);
    }
  });

  test('by a failed statement', async () => {
    const endWaiting = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const broken = await raceAgainst(
      world,
      lock('organizations'),
      () => list(alone),
      () => world.sql(endWaiting),
    );
    expect(outcome(broken)).toBe('SERVICE_UNAVAILABLE');
    expect(outcome(await list(alone))).toBe(200);
  });

  test('by clients that disconnect before or after they get the slot', async () => {
    const { url } = await start('2', 60_000);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${busyOne.token}` };
    const leave = () => times(5, () => fetch(`${url}/api/organizations`, { headers, signal: leaving.signal }).catch(() => undefined));
    await raceAgainst(world, lock('organizations'), leave, async () => leaving.abort());
    expect(outcome(await list(createApi(url)))).toBe(200);
  });
});

test('loading callers uses half of the database connections, and further callers wait or are 503', async () => {
  // Of different tenants, so that only the loading of callers limits them.
  const people = await Promise.all(Array.from({ length: 4 }, async () => world.person({ [(await world.tenant()).id]: 'viewer' })));
  const { url } = await world.another({ DATABASE_POOL_MAX: '2', REQUEST_QUEUE_MAX: '2' });
  const limited = createApi(url);
  const answers: unknown[] = [];
  const load = async (person: Person) => void answers.push(outcome(await limited.call(person, 'GET /api/me/tenants')));
  await raceAgainst(
    world,
    lock('users'),
    () => Promise.all(people.map(load)),
    // One is loaded and two wait.
    () => expect.poll(() => answers).toEqual(['SERVICE_UNAVAILABLE']),
  );
  expect(answers).toEqual(['SERVICE_UNAVAILABLE', 200, 200, 200]);
});

test('a request whose caller cannot be loaded is 503, also if other requests of the caller wait too', async () => {
  const [one, two] = [await world.tenant(), await world.tenant()];
  const person = await world.person({ [one.id]: 'viewer', [two.id]: 'viewer' });
  const impatient = createApi((await start('2', 100)).url);
  const answers: unknown[] = [];
  const load = async ({ id }: { id: string }) =>
    void answers.push(outcome(await impatient.call({ ...person, tenant: id }, 'GET /api/states')));
  await raceAgainst(
    world,
    lock('users'),
    () => Promise.all([one, two].map(load)),
    () => expect.poll(() => answers).toHaveLength(1),
  );
  expect(answers).toEqual(['SERVICE_UNAVAILABLE', 200]);
});
