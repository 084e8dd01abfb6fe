import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createApi } from '../support/api.ts';
import { findHalfDone } from '../support/half-done.ts';
import { csvOf, holdOrganization, organizationRow, writtenBy } from '../support/import-rows.ts';
import { importEnd, importResults, uploadImport } from '../support/imports.ts';
import { startWorldWithMap } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { countWaiting } from '../support/race.ts';
import type { World } from '../support/world.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await startWorldWithMap();
  admin = await world.person({ [(await world.tenant()).id]: 'tenant-admin' });
  // The processes of the tests run the imports.
  await world.service.stop();
});
afterAll(() => world.stop());

/** Forgets the job of the last process, as the queue does when its heartbeats are missing: the next one takes over at once. */
const forgetJob = () =>
  world.sql(`
    with forgotten as (delete from pgboss.job where name = 'imports')
    update pgboss.queue set singletons_active = null where name = 'imports'`);

/** Starts an instance of the service, which takes over the imports. */
async function start(): Promise<{ instance: ServiceProcess; seen: World }> {
  await forgetJob();
  const instance = await startProcess(world.environment);
  onTestFinished(() => instance.kill());
  return { instance, seen: { ...world, ...createApi(instance.url), service: { ...world.service, url: instance.url } } };
}

const endings: [string, (first: ServiceProcess, release: () => Promise<void>) => Promise<unknown>][] = [
  ['is killed', (first, release) => first.kill().then(release)],
  ['is stopped', (first, release) => Promise.all([first.stop(), release()])],
  [
    'hangs, and continues while the other one does the same rows',
    async (_, release) => {
      await expect.poll(() => countWaiting(world)).toBe(2);
      await release();
    },
  ],
];

// Rules: IMPORTS-20
test.each(endings)('a process that runs an import %s: another one continues, and each row is done exactly once', async (ending, end) => {
  const { instance: first, seen } = await start();
  const taxIds = Array.from({ length: 150 }, () => world.newTaxId());
  const hold = await holdOrganization(world, taxIds[100] ?? '');
  const rows = taxIds.map((taxId, index) => organizationRow(taxId, index % 7 === 0 ? { name: '' } : {}));
  const { id } = (await uploadImport(seen, admin, { type: 'organizations' }, csvOf(rows))).body;
  await hold.reached();
  const { processed } = (await seen.call<{ processed: number }>(admin, `GET /api/imports/${id}`)).body;
  expect(processed).toBeGreaterThan(0);
  const overlaps = ending.startsWith('hangs');
  if (!overlaps) await end(first, hold.release);
  const { seen: second } = await start();
  if (overlaps) await end(first, hold.release);
  const done = await importEnd(second, admin, id);
  expect(done).toMatchObject({ status: 'COMPLETED', rows: 150, processed: 150, created: 128, failed: 22 });
  const results = await importResults(second, admin, id);
  expect(results.map(({ row, code, status }) => [row, code ?? status])).toEqual(
    rows.map(({ name }, index) => [index + 1, name === '' ? 'VALIDATION_FAILED' : 'CREATED']),
  );
  const written = await writtenBy(world, { id });
  expect(written.map(({ recordId }) => recordId)).toEqual(results.flatMap(({ id: recordId }) => recordId ?? []));
  expect(await findHalfDone(world.sql)).toEqual([]);
});
