import pg from 'pg';
import { backupLock } from '@profile-service/db';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { createApi } from '../support/api.ts';
import { upload } from '../support/files.ts';
import { lockTable } from '../support/race.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const member = useMember(world, useTenant(world), 'tenant-admin');
let attachmentId: string;
beforeAll(async () => {
  attachmentId = (await upload(world, member)).body.id;
  // Otherwise it would run the jobs.
  await world.service.stop();
});

/** The states of the jobs with this name, in the order of their creation. */
const statesOf = async (job: string) =>
  (await world.sql<{ state: string }>('select state from pgboss.job where name = $1 order by created_on', [job])).map(({ state }) => state);

/** A service that has started its jobs. */
async function startWithJobs(settings: Record<string, string> = {}): Promise<Service> {
  const service = await world.another(settings);
  await expect.poll(() => statesOf('idempotency-key-cleanup')).toEqual(['created']);
  return service;
}

test('after the stop has begun, no job starts, although requests add some', async () => {
  const service = await startWithJobs({ SHUTDOWN_DELAY_SECONDS: '1' });
  const stopped = service.stop();
  const person = world.newPerson();
  expect(await createApi(service.url).call(world.global, 'POST /api/users', person)).toMatchObject({ status: 201 });
  await stopped;
  expect((await statesOf('password-mail')).at(-1)).toBe('created');
  expect(world.identity.mails.filter(({ to }) => to === person.email)).toEqual([]);
});

test('running jobs are aborted when the drain begins, not after it', async () => {
  const service = await startWithJobs();
  // While a backup runs, the deletion leaves the file to the clean-up, which waits for the end of the backup.
  const backup = new pg.Client(world.databaseUrl);
  await backup.connect();
  onTestFinished(() => backup.end());
  await backup.query(`select pg_advisory_lock(${backupLock})`);
  expect((await createApi(service.url).call(member, `DELETE /api/attachments/${attachmentId}`)).status).toBe(204);
  await world.sql("update pgboss.job set start_after = now() where name = 'storage-cleanup'");
  await expect
    .poll(() => {
      service.jobs.wake('storage-cleanup');
      return statesOf('storage-cleanup');
    })
    .toEqual(['active', 'created']);

  const { waiting, end } = await lockTable(world, 'apps', 'exclusive');
  const created = createApi(service.url).call(world.global, 'POST /api/apps', { name: 'Slower than the job' });
  await expect.poll(waiting).toBeGreaterThan(0);
  let hasStopped = false;
  const stopped = service.stop().then(() => (hasStopped = true));
  await expect.poll(() => statesOf('storage-cleanup')).toEqual(['retry', 'created']);
  expect(hasStopped).toBe(false);
  await end();
  expect((await created).status).toBe(201);
  await stopped;
});
