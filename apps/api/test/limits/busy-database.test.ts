import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { type Api, outcome } from '../support/api.ts';
import { form, lookInto, pdf } from '../support/files.ts';
import { metricOf } from '../support/metrics.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { linkedOrganization } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { lockTable, raceAgainst } from '../support/race.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const other = useMember(world, useTenant(world), 'viewer');
const busy = useTenant(world);
const busyOne = useMember(world, busy, 'tenant-admin');
/** A tenant may use two of the four connections. Other requests wait for 200 ms. */
const api = duringTests(() => start('4', 200));
let organizationId: string;
beforeAll(async () => {
  organizationId = await linkedOrganization(world, busy.id);
});

const start = (connections: string, waitMs: number) =>
  world.another({ DATABASE_POOL_MAX: connections, MANAGEMENT_PORT: '0' }, { tenantLimits: { waitMs } });
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
/** Blocks every request that uses the table. */
const lock = (table: string): [string, unknown[]] => [`lock table ${table} in access exclusive mode`, []];
/** The number of requests that the service rejected because of a concurrency limit of their tenant. */
const refusals = () => metricOf(api, 'profile_rate_limited_total', /limit="tenant"/);
const list = (to: Api) => to.call(busyOne, 'GET /api/organizations');
const listAsApplication = () => api.call(busy.service, 'GET /service/organizations');
const listOverTrpc = () =>
  api
    .client(busyOne)
    .organizations.list.query()
    .then(
      () => ({ status: 200, code: undefined }),
      (error: Answer) => error,
    );
type Answer = Parameters<typeof outcome>[0];

describe('a tenant whose requests all wait for the database leaves connections to other tenants:', () => {
  test.each<[what: string, table: string, call: (index: number) => Promise<Answer>]>([
    ['reads', 'organizations', () => api.call(busyOne, 'GET /api/organizations?name=zzz')],
    ['writes', 'organizations', () => api.call(busyOne, `PUT /api/organizations/${organizationId}`, { name: 'Renamed' })],
    ['uploads', 'attachments', () => api.call(busyOne, 'POST /api/attachments', form(['file', pdf()]))],
    ['downloads', 'attachments', () => api.call(busyOne, `GET /api/attachments/${organizationId}`)],
    ['requests of users and its application', 'organizations', (index) => (index % 2 ? list(api) : listAsApplication())],
    ['calls over tRPC', 'organizations', listOverTrpc],
  ])('%s', async (_what, table, call) => {
    const before = await refusals();
    const answered: unknown[] = [];
    const all = () => times(12, async (index) => answered.push(outcome(await call(index))));
    await raceAgainst(world, lock(table), all, async () => {
      expect(outcome(await api.call(other, 'GET /api/states'))).toBe(200);
      await expect.poll(() => answered).toEqual(Array.from({ length: 10 }, () => 'RATE_LIMITED'));
      expect(outcome(await api.call(other, 'GET /api/me/tenants'))).toBe(200);
    });
    expect(await refusals()).toBe(before + 10);
    expect(answered.slice(10).every((each) => each !== 'RATE_LIMITED' && each !== 'SERVICE_UNAVAILABLE')).toBe(true);
    expect((await lookInto(world).keys()).length).toBe((await world.sql('select 1 from attachments')).length);
  });
});

describe('a database slot is released', () => {
  /** A tenant may use one connection. */
  const alone = duringTests(() => start('2', 5_000));

  test('by every refused request', async () => {
    const refused: [string, unknown?][] = [
      [`GET /api/organizations/${absentId}`],
      [`PUT /api/organizations/${organizationId}`, { name: 1 }],
      [`PUT /api/organizations/${absentId}`, { name: 'Nobody' }],
    ];
    for (const [target, body] of refused) {
      expect(outcome(await alone.call(busyOne, target, body))).toMatch(/NOT_FOUND|VALIDATION_FAILED/);
      expect(outcome(await list(alone))).toBe(200);
    }
  });

  test('by a failed statement', async () => {
    const ofWaiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    const endWaiting = () => world.sql(`select pg_terminate_backend(pid) ${ofWaiting}`);
    const broken = await raceAgainst(world, lock('organizations'), () => list(alone), endWaiting);
    expect(outcome(broken)).toBe('SERVICE_UNAVAILABLE');
    expect(outcome(await list(alone))).toBe(200);
  });

  test('by clients that disconnect before or after they get the slot', async () => {
    const patient = await start('2', 60_000);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${busyOne.token}` };
    const leave = () =>
      times(5, () => fetch(`${patient.url}/api/organizations`, { headers, signal: leaving.signal }).catch(() => undefined));
    await raceAgainst(world, lock('organizations'), leave, async () => leaving.abort());
    expect(outcome(await list(patient))).toBe(200);
  });
});

test('loading callers uses half of the database connections, and further callers wait or are 503', async () => {
  // Of different tenants, so that only the loading of callers limits them.
  const people = await Promise.all(Array.from({ length: 4 }, async () => world.person({ [(await world.tenant()).id]: 'viewer' })));
  const limited = await world.another({ DATABASE_POOL_MAX: '2', REQUEST_QUEUE_MAX: '2' });
  const answers: unknown[] = [];
  const load = async (person: Person) => void answers.push(outcome(await limited.call(person, 'GET /api/me/tenants')));
  // One is loaded and two wait.
  const oneIsRejected = () => expect.poll(() => answers).toEqual(['SERVICE_UNAVAILABLE']);
  await raceAgainst(world, lock('users'), () => Promise.all(people.map(load)), oneIsRejected);
  expect(answers).toEqual(['SERVICE_UNAVAILABLE', 200, 200, 200]);
});

test('recording refused requests uses half of the database connections', async () => {
  const { waiting } = await lockTable(world, 'journal');
  // They are answered after 2 seconds, before their entries are written.
  expect((await times(6, () => api.call(other, 'GET /api/apps'))).map(outcome)).toEqual(Array.from({ length: 6 }, () => 'NOT_ALLOWED'));
  expect(await waiting()).toBe(2);
});

test('a request whose caller cannot be loaded is 503, also if other requests of the caller wait too', async () => {
  const [one, two] = [await world.tenant(), await world.tenant()];
  const person = await world.person({ [one.id]: 'viewer', [two.id]: 'viewer' });
  const impatient = await start('2', 100);
  const answers: unknown[] = [];
  const load = async ({ id }: { id: string }) =>
    void answers.push(outcome(await impatient.call({ ...person, tenant: id }, 'GET /api/states')));
  const oneIsRejected = () => expect.poll(() => answers).toHaveLength(1);
  await raceAgainst(world, lock('users'), () => Promise.all([one, two].map(load)), oneIsRejected);
  expect(answers).toEqual(['SERVICE_UNAVAILABLE', 200]);
});
