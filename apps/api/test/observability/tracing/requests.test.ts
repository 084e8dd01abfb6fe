import { jobs } from '../../../src/jobs/index.ts';
import { beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { startRedis } from '../../../../../test/redis.ts';
import { duringTests } from '../../../../../test/during-tests.ts';
import type { Api } from '../../support/api.ts';
import { outlineOf, spansNamed, useCollector } from '../../support/collector.ts';
import { form, pdf } from '../../support/files.ts';
import { useMember, useTenant } from '../../support/use-people.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const collector = useCollector();
const api = duringTests(() => world.another(collector.settings));
const member = useMember(world, useTenant(world), 'tenant-admin');
beforeAll(async () => {
  // The caches are filled, and the connections are open.
  await Promise.all([api.call(member, 'GET /api/me/tenants'), api.call(world.global, 'GET /api/apps')]);
});
beforeEach(() => collector.spans.splice(0));

/** Whether a request of the Global user needs no look-up in the database. */
async function isCallerCached(): Promise<boolean> {
  await api.call(world.global, 'GET /api/states');
  return spansNamed(await collector.trace('GET /api/states'), 'SELECT users').length === 0;
}

const redisServer = inject('redisServer');
const [ok, failed] = [0, 2];
const createApp = () => world.create<{ id: string }>('POST /api/apps', { name: world.newTaxId() });
const uploadTo = (to: Api) => to.call<{ id: string }>(member, 'POST /api/attachments', form(['file', pdf()]));

test('a read has a span of the request, of each step and of its statement', async () => {
  // A service caches callers only while it listens for invalidations.
  while (!(await isCallerCached())) collector.spans.splice(0);
  const { id } = await createApp();
  await api.call(world.global, `GET /api/apps/${id}`);
  const request = await collector.trace('GET /api/apps/{id}');
  expect(outlineOf(request)).toEqual([
    'authenticate',
    'limit-rate',
    'load-caller',
    'limit-outbound-buffer',
    'authorize',
    'read-input',
    'validate',
    'read-if-match',
    'require-own-tenant',
    'with-database-slot',
    ['limit-outbound-buffer', 'with-read-database', ['handle', ['SELECT apps']]],
    'respond',
  ]);
  expect(request).toMatchObject({ kind: 2, status: { code: ok } });
  expect(request.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/api/apps/{id}',
    'http.response.status_code': 200,
    'network.protocol.version': '1.1',
  });
  const [handle] = spansNamed(request, 'handle');
  expect(handle?.events).toMatchObject([{ name: 'database connection acquired', attributes: [{ key: 'profile.wait_ms' }] }]);
  const [statement] = spansNamed(request, 'SELECT apps');
  const { hostname, port, pathname } = new URL(world.databaseUrl);
  expect(statement).toMatchObject({ kind: 3, status: { code: ok } });
  expect(statement?.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.namespace': pathname.slice(1),
    'server.address': hostname,
    'server.port': Number(port),
    'db.operation.name': 'SELECT',
    'db.query.summary': 'SELECT apps',
    'db.query.text': 'select * from "apps" where "id" = $1',
  });
});

test('a write has a span of each statement of its transaction', async () => {
  const { id } = await createApp();
  const etag = (await world.call(world.global, `GET /api/apps/${id}`)).headers.get('etag') ?? '';
  await api.call(world.global, `PUT /api/apps/${id}`, { name: world.newTaxId() }, { 'if-match': etag });
  const [transaction] = spansNamed(await collector.trace('PUT /api/apps/{id}'), 'in-transaction');
  expect(transaction?.events).toMatchObject([{ name: 'database connection acquired' }]);
  expect(transaction && outlineOf(transaction)).toEqual([
    'match-version',
    // They are sent at once, and can begin in the same millisecond.
    expect.toSatisfy((names: string[]) => names.toSorted().join() === 'BEGIN,SELECT apps'),
    'handle',
    ['UPDATE apps', 'SELECT record_write', 'COMMIT'],
  ]);
  expect(transaction?.children.every(({ status }) => status.code === ok)).toBe(true);
});

test('a batch over tRPC has one span of the request and one of each call, with the statements of the call', async () => {
  const created = [await createApp(), await createApp(), await createApp()];
  const { apps } = api.client(world.global);
  await Promise.all(created.map(({ id }) => apps.get.query({ id })));
  const request = await collector.trace('GET /trpc');
  expect(request.attributes).toMatchObject({ 'http.route': '/trpc', 'http.response.status_code': 200 });
  const call = { name: 'apps.get', attributes: { 'rpc.system.name': 'trpc', 'rpc.method': 'apps.get' } };
  expect(request.children).toMatchObject([call, call, call]);
  for (const child of request.children) expect(spansNamed(child, 'SELECT apps')).toHaveLength(1);
});

test('an upload has a span of the storage call, and a download too', async () => {
  const { body } = await uploadTo(api);
  const upload = await collector.trace('POST /api/attachments');
  const [stored] = spansNamed(upload, 'storage put');
  expect(stored).toMatchObject({ kind: 3, attributes: { 'service.peer.name': 'storage' }, status: { code: ok } });
  expect(spansNamed(upload, 'with-upload')[0]?.children.map(({ spanId }) => spanId)).toContain(stored?.spanId);
  await api.call(member, `GET /api/attachments/${body.id}`);
  const opened = async () => spansNamed(await collector.trace('GET /api/attachments/{id}'), 'storage open');
  await expect.poll(opened).toHaveLength(1);
});

test('creating a user has spans of the calls of the identity provider, and is linked from the job that it has added', async () => {
  await api.call(world.global, 'POST /api/users', world.newPerson());
  const request = await collector.trace('POST /api/users');
  for (const name of ['identity find', 'identity create'])
    expect(spansNamed(request, name)).toMatchObject([{ kind: 3, attributes: { 'service.peer.name': 'identity' } }]);
  const transaction = spansNamed(request, 'in-transaction').at(-1);
  expect(transaction && outlineOf(transaction)).toEqual(expect.arrayContaining(['INSERT users', 'INSERT pgboss.job_common']));

  const job = await collector.trace('password-mail');
  expect(outlineOf(job)).toEqual(['SELECT users', 'identity mail']);
  expect(job.kind).toBe(5);
  expect(job.traceId).not.toBe(request.traceId);
  expect(job.links).toMatchObject([{ traceId: request.traceId }]);
});

test('a rejected request has the code of its problem, and no failed span', async () => {
  await api.call(member, 'POST /api/apps', { name: world.newTaxId() });
  const request = await collector.trace('POST /api/apps');
  expect(request).toMatchObject({ status: { code: ok }, attributes: { 'http.response.status_code': 403, 'error.type': 'NOT_ALLOWED' } });
  const [authorize] = spansNamed(request, 'authorize');
  expect(authorize).toMatchObject({ status: { code: ok }, attributes: { 'error.type': 'NOT_ALLOWED' } });
});

test('a violated constraint fails its statement, with the SQLSTATE', async () => {
  const name = world.newTaxId();
  for (const _ of [1, 2]) await api.call(world.global, 'POST /api/document-types', { name });
  const requests = () => collector.spans.filter((span) => span.name === 'POST /api/document-types');
  await expect.poll(() => requests().map(({ attributes }) => attributes['http.response.status_code'])).toEqual([201, 409]);
  const statements = collector.spans.filter(({ attributes }) => attributes['db.response.status_code'] !== undefined);
  expect(statements).toMatchObject([
    { attributes: { 'db.response.status_code': '23505', 'error.type': '23505' }, status: { code: failed }, events: [] },
  ]);
  const code = requests()[1]?.attributes['error.type'];
  const handle = collector.spans.find(({ spanId }) => spanId === statements[0]?.parentSpanId);
  expect(handle).toMatchObject({ name: 'handle', attributes: { 'error.type': code }, status: { code: ok } });
});

test('a failed call fails the spans up to the request if the response is 503, and only its own span if the response is 400', async () => {
  const faults = { IDENTITY_CLIENT_SECRET: 'another-secret', STORAGE_DIR: '/nowhere/files' };
  const broken = await world.another({ ...collector.settings, ...faults });
  await broken.call(world.global, 'POST /api/users', world.newPerson());
  const creation = await collector.trace('POST /api/users');
  const code = 'IDENTITY_PROVIDER_UNAVAILABLE';
  expect(creation).toMatchObject({ status: { code: failed }, attributes: { 'http.response.status_code': 503, 'error.type': code } });
  expect(spansNamed(creation, 'handle')).toMatchObject([{ status: { code: failed }, attributes: { 'error.type': code } }]);
  expect(spansNamed(creation, 'identity find')).toMatchObject([{ status: { code: failed }, attributes: { 'error.type': '401' } }]);

  await uploadTo(broken);
  const request = await collector.trace('POST /api/attachments');
  expect(request).toMatchObject({ status: { code: ok }, attributes: { 'error.type': 'FailedToUploadFileError' } });
  expect(spansNamed(request, 'storage put')).toMatchObject([{ status: { code: failed }, attributes: { 'error.type': 'ENOENT' } }]);
});

test('health checks have no spans, and statements have spans in requests and jobs only', async () => {
  for (const path of ['/health/live', '/health/ready']) expect((await fetch(api.url + path)).status).toBe(200);
  await api.call(world.global, 'GET /api/apps');
  await collector.trace('GET /api/apps');
  const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  const jobNames = new Set(jobs.map(({ name }) => name));
  expect(roots.map(({ name }) => name).filter((name) => !jobNames.has(name))).toEqual(['GET /api/apps']);
});

test('a request whose token needs another key has a span of the fetch', async () => {
  const other = await world.another(collector.settings);
  await world.identity.rotateKey();
  const token = await world.tokenOf({ sub: world.identity.users()[0]?.id ?? '' });
  await other.call({ token }, 'GET /api/apps');
  const [authenticate] = spansNamed(await collector.trace('GET /api/apps'), 'authenticate');
  expect(authenticate && outlineOf(authenticate)).toEqual(['identity keys']);
});

test.skipIf(redisServer === null)('a request has spans of the operations of Redis', async () => {
  const redis = await startRedis(redisServer ?? '');
  const withRedis = await world.another({ ...collector.settings, REDIS_URL: redis.url });
  const spansOfLoad = async () => {
    collector.spans.splice(0);
    await withRedis.call(world.global, 'GET /api/apps');
    const [load] = spansNamed(await collector.trace('GET /api/apps'), 'load-caller');
    return load && outlineOf(load);
  };
  // The service does not use the cache before its LISTEN connection is there.
  await expect.poll(spansOfLoad).toEqual(['redis read caller', 'SELECT users', 'redis write caller']);
  await withRedis.stop();
  await redis.remove();
});
