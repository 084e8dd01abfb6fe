import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inherited } from '../../../../test/inherited.ts';
import { createApi } from '../support/api.ts';
import { metricOf } from '../support/metrics.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { startWorld, type World } from '../support/world.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** How long a process may take to start on a busy machine. */
const slowStartMs = 60_000;
const twoProcesses = { WEB_CONCURRENCY: '2', MANAGEMENT_PORT: '0' };

let world: World;
let service: ServiceProcess;
beforeAll(async () => {
  world = await startWorld();
  // Otherwise it would run jobs and be counted in pg_stat_activity.
  await world.service.stop();
  service = await startProcess({ ...world.environment, ...twoProcesses });
});
afterAll(async () => {
  await service.stop();
  await world.stop();
});

/** The process ids of the workers, in the order of their start. */
async function workers(): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      // A process may end meanwhile. The name of a program, in brackets, may contain spaces.
      const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return { id: Number(id), parent: Number(fields[1]), startedAt: Number(fields[19]) };
    }),
  );
  const children = found.filter(({ parent }) => parent === service.pid);
  return children.toSorted((a, b) => a.startedAt - b.startedAt || a.id - b.id).map(({ id }) => id);
}

const isListening = (number: number) => service.log.some(({ msg, worker }) => msg === 'listening' && worker === number);

/** A client with one connection. `get` resolves with the status, or with `broken` if the connection was lost. */
function connection() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    get: (path: string) =>
      new Promise<number | string>((resolve) => {
        get(service.url + path, { agent }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
        }).on('error', () => resolve('broken'));
      }),
    close: () => agent.destroy(),
  };
}

/** Creates a user through the service. Returns the e-mail address. */
async function createUser(): Promise<string> {
  const person = world.newPerson();
  expect(await createApi(service.url).call(world.global, 'POST /api/users', person)).toMatchObject({ status: 201 });
  return person.email;
}
const mailsTo = (email: string) => world.identity.mails.filter(({ to }) => to === email).length;

describe('WEB_CONCURRENCY=2', () => {
  test('serves requests in two processes and adds up their metrics', async () => {
    expect(await workers()).toHaveLength(2);
    const connections = [connection(), connection()];
    const live = () => metricOf(service, 'profile_request_duration_seconds_count', /operation="me.tenants"/);
    const before = await live();
    // Each connection stays with one process, and the next one goes to the other.
    for (const client of connections) expect(await client.get('/api/me/tenants')).toBe(401);
    expect(await connections[1]?.get('/api/me/tenants')).toBe(401);
    expect(await live()).toBe(before + 3);
    for (const client of connections) client.close();

    const inDatabase = async () =>
      (await world.sql("select from pg_stat_activity where application_name = 'profile-service' and datname = current_database()")).length;
    await expect.poll(async () => (await metricOf(service, 'profile_database_pool_connections')) - (await inDatabase())).toBe(0);
    expect(await inDatabase()).toBeGreaterThanOrEqual(2);
  });

  test('reports the health of all processes on the management port', async () => {
    const report = async () => {
      const response = await fetch(`${service.managementUrl}/health/ready`);
      return [response.status, await response.json()];
    };
    const checks = { database: 'ok', identity: 'ok', storage: 'ok', cache: 'ok' };
    await expect.poll(report).toEqual([200, { status: 'ok', checks, reasons: {} }]);
  });

  test('runs jobs that either process adds, and reports the queue once', async () => {
    const emails = [await createUser(), await createUser()];
    for (const email of emails) await expect.poll(() => mailsTo(email)).toBe(1);
    await expect.poll(() => metricOf(service, 'profile_jobs_waiting', /job_name="storage-cleanup"/)).toBe(1);
  });

  test('logs once that each process counts rate limits for itself', () => {
    expect(service.log.filter(({ msg }) => msg.startsWith('each process counts rate limits for itself'))).toHaveLength(1);
  });

  test(
    'replaces a process that was killed, while the other one serves requests; the replacement runs the jobs',
    async () => {
      const [first = 0, second = 0] = await workers();
      const connections = [connection(), connection()];
      for (const client of connections) expect(await client.get('/health/live')).toBe(200);
      const counted = await metricOf(service, 'profile_request_duration_seconds_count');
      service.log.length = 0;
      process.kill(first, 'SIGKILL');
      await expect.poll(workers).not.toContain(first);
      const ended = expect.objectContaining({ worker: 1, signal: 'SIGKILL', msg: 'a worker process ended and will be replaced' });
      await expect.poll(() => service.log).toContainEqual(ended);
      const outcomes = await Promise.all(connections.map((client) => client.get('/health/live')));
      expect(outcomes).toContain(200);

      await expect.poll(() => isListening(1), { timeout: slowStartMs }).toBe(true);
      expect(await workers()).toHaveLength(2);
      expect(await workers()).toContain(second);
      expect(await metricOf(service, 'profile_request_duration_seconds_count')).toBeGreaterThanOrEqual(counted);
      const email = await createUser();
      await expect.poll(() => mailsTo(email)).toBe(1);
      for (const client of connections) client.close();
    },
    2 * slowStartMs,
  );
});

describe('a start that fails with WEB_CONCURRENCY=2', () => {
  const start = async (settings: Record<string, string>) => {
    const env = { ...inherited, ...world.environment, ...twoProcesses, IDENTITY_AUDIENCE: '*', ...settings };
    return promisify(execFile)(process.execPath, [main], { env }).catch(({ code, stderr }) => ({ code, stderr }));
  };
  test.each(['PORT', 'MANAGEMENT_PORT'])(
    'because %s is in use exits with 1 and prints the error once',
    async (name) => {
      const occupied = createServer();
      await once(occupied.listen(0, '127.0.0.1'), 'listening');
      const { port } = occupied.address() as AddressInfo;
      const { code, stderr } = (await start({ [name]: String(port) })) as { code: number; stderr: string };
      occupied.close();
      expect([code, stderr.match(/^\w*Error: .*$/gm)]).toEqual([1, [expect.stringMatching(`EADDRINUSE.* 127.0.0.1:${port}$`)]]);
    },
    2 * slowStartMs,
  );

  test('because of its settings exits with 1 and prints the errors once', async () => {
    const stderr = 'The settings are not complete or not right:\n  DATABASE_URL is not set\n';
    expect(await start({ DATABASE_URL: '' })).toMatchObject({ code: 1, stderr });
  });
});
