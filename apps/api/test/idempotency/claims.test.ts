import { randomUUID } from 'node:crypto';
import { praca } from '@profile-service/contracts/examples';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../../../test/proxy.ts';
import { createApi, outcome } from '../support/api.ts';
import { form, lookInto, pdf } from '../support/files.ts';
import { linkedOrganization, restrict, useWorldWithMap } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';
import { useMember, useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const other = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

const post = (target: string, body: unknown, key: string, actor: { token?: string; tenant?: string } = world.global) =>
  world.call<{ id: string }>(actor, `POST ${target}`, body, { 'idempotency-key': key });
const assign = ({ id }: { id: string }, tenantId: string, persona: string) =>
  world.call(world.global, `POST /api/users/${id}/tenants`, { tenantId, persona });
const newOrganization = () => ({ name: 'Vale', federalTaxId: world.newTaxId(), address: praca });
const claimsOf = (key: string) => world.sql('select from idempotency_keys where key = $1', [key]);

describe('a key that came with something else is refused:', () => {
  const expectReused = (answers: { code: string | undefined }[]) =>
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 'IDEMPOTENCY_KEY_REUSED'));

  // Rules: IDEMPOTENCY-5
  test('another input, operation or active tenant', async () => {
    const [key, own, organization] = [randomUUID(), randomUUID(), newOrganization()];
    const customer = { name: 'Central', federalTaxId: world.newTaxId() };
    await post('/api/customers', customer, key);
    await assign(admin, other.id, 'tenant-admin');
    expect((await post('/api/organizations', organization, own, { ...admin, tenant: tenant.id })).status).toBe(201);
    expectReused([
      await post('/api/customers', { ...customer, alias: 'C' }, key),
      await post('/api/apps', { name: 'Central' }, key),
      await post('/api/organizations', organization, own, { ...admin, tenant: other.id }),
    ]);
  });

  // Rules: IDEMPOTENCY-5
  test('another file, file name or field', async () => {
    const [key, file] = [randomUUID(), pdf('a.pdf')];
    const send = (...parts: [string, string | File][]) => post('/api/attachments', form(...parts), key, { ...admin, tenant: tenant.id });
    const first = await send(['description', 'x'], ['file', file]);
    expect(first.status).toBe(201);
    const files = await lookInto(world).keys();
    // The order of the parts makes no difference.
    expect((await send(['file', file], ['description', 'x'])).body).toEqual(first.body);
    expectReused([
      await send(['description', 'y'], ['file', file]),
      await send(['description', 'x'], ['file', pdf('a.pdf')]),
      await send(['description', 'x'], ['file', new File([file], 'b.pdf', { type: 'application/pdf' })]),
    ]);
    expect(await lookInto(world).keys()).toEqual(files);
  });

  // Rules: IDEMPOTENCY-5, IDEMPOTENCY-6
  test('another input while the first request is still running, during which an equal request is in progress', async () => {
    const [key, body] = [randomUUID(), { name: randomUUID() }];
    const first = await raceAgainst(
      world,
      ['lock table journal in exclusive mode', []],
      () => post('/api/apps', body, key),
      async () => {
        expectReused([await post('/api/apps', { name: randomUUID() }, key)]);
        const same = await post('/api/apps', body, key);
        expect([same.code, same.headers.get('retry-after')]).toEqual(['IDEMPOTENCY_KEY_IN_PROGRESS', '1']);
      },
    );
    expect(first.status).toBe(201);
  });
});

describe('a repeated request is refused', () => {
  // Rules: IDEMPOTENCY-8
  test('when the caller has lost the scope of what the input names', async () => {
    const organizationId = await linkedOrganization(world, tenant.id);
    const member = await world.person({ [tenant.id]: 'coordinator' });
    const contact = { organizationId, type: 'URL', value: 'https://vale.example' };
    const requests: [string, string, unknown][] = [
      [randomUUID(), '/api/organization-contacts', contact],
      [randomUUID(), '/api/organization-addresses', { organizationId, ...praca }],
      [randomUUID(), '/api/attachments', form(['entityId', organizationId], ['file', pdf()])],
    ];
    const sendAll = async () => {
      const answers = [];
      for (const [key, target, body] of requests) answers.push(outcome(await post(target, body, key, member)));
      return answers;
    };
    expect(await sendAll()).toEqual([201, 201, 201]);
    await restrict(world, member.id, tenant.id, []);
    const put = `PUT /api/users/${member.id}/tenants/${tenant.id}/organizations`;
    await world.call(world.global, put, { scope: 'RESTRICTED', organizationIds: [] });
    expect(await sendAll()).toEqual(Array.from({ length: 3 }, () => 'NOT_ALLOWED_ORGANIZATION'));
  });

  // Rules: IDEMPOTENCY-8
  test('when the caller has lost the permission, or the user of the request has become Global', async () => {
    const member = await world.person({ [tenant.id]: 'tenant-admin' }, { roles: ['users:update'] });
    const user = await world.person();
    const requests: [string, string, unknown][] = [
      [randomUUID(), '/api/organizations', newOrganization()],
      [randomUUID(), `/api/users/${user.id}/tenants`, { tenantId: tenant.id, persona: 'viewer' }],
    ];
    for (const [key, target, body] of requests) expect((await post(target, body, key, member)).status).toBe(201);
    await assign(member, tenant.id, 'viewer');
    await world.call(world.global, `PUT /api/users/${user.id}`, { type: 'Global' });
    for (const [key, target, body] of requests) expect((await post(target, body, key, member)).code).toBe('NOT_ALLOWED');
  });
});

describe('a claim', () => {
  // Rules: IDEMPOTENCY-9
  test('stands for the key until it expires', async () => {
    const [key, person] = [randomUUID(), world.newPerson()];
    await post('/api/users', person, key);
    const change = (set: string) => world.sql(`update idempotency_keys set ${set} where key = $1`, [key]);
    // As a process leaves it that dies during the request.
    await change("status = null, body = null, etag = null, claim_id = gen_random_uuid(), claimed_until = now() + interval '1 hour'");
    expect((await post('/api/users', person, key)).code).toBe('IDEMPOTENCY_KEY_IN_PROGRESS');
    expect((await post('/api/users', { ...person, name: 'Bob' }, key)).code).toBe('IDEMPOTENCY_KEY_REUSED');
    await change("claimed_until = now() - interval '1 second'");
    expect((await post('/api/users', person, key)).code).toBe('USER_ALREADY_EXISTS');
    expect(await claimsOf(key)).toEqual([]);
  });

  // Rules: IDEMPOTENCY-9
  test('that another request has taken undoes the change', async () => {
    const [key, person] = [randomUUID(), world.newPerson()];
    const taken = await raceAgainst(
      world,
      ['lock table users in exclusive mode', []],
      () => post('/api/users', person, key),
      (rival) => rival.query('update idempotency_keys set claim_id = gen_random_uuid() where key = $1', [key]),
    );
    expect(taken.code).toBe('IDEMPOTENCY_KEY_IN_PROGRESS');
    expect(await world.sql('select id from users where email = $1', [person.email])).toEqual([]);
  });

  // Rules: IDEMPOTENCY-7
  test('is released when the database is back, if the connection has ended while it was committed', async () => {
    const database = await startProxy(world.databaseUrl);
    onTestFinished(() => database.stop());
    const api = createApi((await world.another({ DATABASE_URL: database.url })).url);
    await world.sql(`
      create function wait_before_commit() returns trigger language plpgsql as 'begin perform pg_sleep(0.5); return null; end';
      create constraint trigger wait_before_commit after insert on idempotency_keys deferrable initially deferred
        for each row execute function wait_before_commit()`);
    const [key, person] = [randomUUID(), world.newPerson()];
    const create = () => api.call(world.global, 'POST /api/users', person, { 'idempotency-key': key });
    const response = create();
    const isCommitting = async () => (await world.sql("select from pg_stat_activity where wait_event = 'PgSleep'")).length > 0;
    await expect.poll(isCommitting).toBe(true);
    database.cut();
    expect((await response).code).toBe('SERVICE_UNAVAILABLE');
    await expect.poll(() => claimsOf(key)).toHaveLength(1);
    database.forward();
    // A claim that is not released lasts 20 seconds.
    await expect.poll(() => claimsOf(key), { timeout: 10_000 }).toEqual([]);
    expect((await create()).status).toBe(201);
  });
});
