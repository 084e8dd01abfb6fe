import { randomUUID } from 'node:crypto';
import { praca } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { form, lookInto, pdf } from '../support/files.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { linkedOrganization, restrict, useWorldWithMap } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

const post = (target: string, body: unknown, key: string, actor: { token?: string; tenant?: string } = world.global) =>
  world.call<{ id: string }>(actor, `POST ${target}`, body, { 'idempotency-key': key });
const storedKeys = (key: string) => world.sql('select status, claim_id from idempotency_keys where key = $1', [key]);

describe('a key that came with something else', () => {
  const federalTaxId = () => world.newTaxId();

  // Rules: IDEMPOTENCY-5
  test('is refused for another input, operation or active tenant', async () => {
    const key = randomUUID();
    const customer = { name: 'Central', federalTaxId: federalTaxId() };
    await post('/api/customers', customer, key);
    const otherTenant = await world.tenant();
    await world.call(world.global, `POST /api/users/${admin.id}/tenants`, { tenantId: otherTenant.id, persona: 'tenant-admin' });
    const own = randomUUID();
    const organization = { name: 'Vale', federalTaxId: federalTaxId(), address: praca };
    expect((await post('/api/organizations', organization, own, { ...admin, tenant: tenant.id })).status).toBe(201);
    const answers = await Promise.all([
      post('/api/customers', { ...customer, alias: 'C' }, key),
      post('/api/apps', { name: 'Central' }, key),
      post('/api/organizations', organization, own, { ...admin, tenant: otherTenant.id }),
    ]);
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 'IDEMPOTENCY_KEY_REUSED'));
  });

  // Rules: IDEMPOTENCY-5
  test('is refused for another file, file name, type or field', async () => {
    const [key, file] = [randomUUID(), pdf('a.pdf')];
    const actor = { ...admin, tenant: tenant.id };
    const send = (...parts: [string, string | File][]) => post('/api/attachments', form(...parts), key, actor);
    const first = await send(['description', 'x'], ['file', file]);
    expect(first.status).toBe(201);
    const files = await lookInto(world).keys();
    // The order of the parts makes no difference.
    expect((await send(['file', file], ['description', 'x'])).body).toEqual(first.body);
    const others = [
      await send(['description', 'y'], ['file', file]),
      await send(['description', 'x'], ['file', pdf('a.pdf')]),
      await send(['description', 'x'], ['file', new File([file], 'b.pdf', { type: 'application/pdf' })]),
    ];
    expect(others.map(({ code }) => code)).toEqual(others.map(() => 'IDEMPOTENCY_KEY_REUSED'));
    expect(await lookInto(world).keys()).toEqual(files);
  });

  // Rules: IDEMPOTENCY-5, IDEMPOTENCY-6
  test('is refused while the first request is still running', async () => {
    const key = randomUUID();
    const body = { name: randomUUID() };
    let first: ReturnType<typeof post> | undefined;
    const reused = await raceAgainst(
      world,
      ['lock table journal in exclusive mode', []],
      () => (first = post('/api/apps', body, key)),
      async () => {
        const other = await post('/api/apps', { name: randomUUID() }, key);
        const same = await post('/api/apps', body, key);
        expect([other.code, same.code, same.headers.get('retry-after')]).toEqual([
          'IDEMPOTENCY_KEY_REUSED',
          'IDEMPOTENCY_KEY_IN_PROGRESS',
          '1',
        ]);
      },
    );
    expect(reused.status).toBe(201);
    expect((await first)?.status).toBe(201);
  });
});

describe('a repeated request', () => {
  // Rules: IDEMPOTENCY-8
  test('is refused when the caller has lost the scope of what the input names', async () => {
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
      for (const [key, target, body] of requests) answers.push(await post(target, body, key, member));
      return answers.map(({ status, code }) => code ?? status);
    };
    expect(await sendAll()).toEqual([201, 201, 201]);
    await restrict(world, member.id, tenant.id, []);
    const put = `PUT /api/users/${member.id}/tenants/${tenant.id}/organizations`;
    await world.call(world.global, put, { scope: 'RESTRICTED', organizationIds: [] });
    expect(await sendAll()).toEqual(Array.from({ length: 3 }, () => 'NOT_ALLOWED_ORGANIZATION'));
  });

  // Rules: IDEMPOTENCY-8
  test('is refused when the caller has lost the permission', async () => {
    const member = await world.person({ [tenant.id]: 'tenant-admin' });
    const [key, body] = [randomUUID(), { name: 'Vale', federalTaxId: world.newTaxId(), address: praca }];
    expect((await post('/api/organizations', body, key, member)).status).toBe(201);
    await world.call(world.global, `POST /api/users/${member.id}/tenants`, { tenantId: tenant.id, persona: 'viewer' });
    expect((await post('/api/organizations', body, key, member)).code).toBe('NOT_ALLOWED');
  });

  test('does not assign a tenant to a Global user for a holder of the role', async () => {
    const holder = await world.person({ [tenant.id]: 'viewer' }, { roles: ['users:update'] });
    const user = await world.person();
    const [key, body] = [randomUUID(), { tenantId: tenant.id, persona: 'viewer' }];
    expect((await post(`/api/users/${user.id}/tenants`, body, key, holder)).status).toBe(201);
    await world.call(world.global, `PUT /api/users/${user.id}`, { type: 'Global' });
    expect((await post(`/api/users/${user.id}/tenants`, body, key, holder)).code).toBe('NOT_ALLOWED');
  });
});

describe('a claim', () => {
  const expire = (key: string) =>
    world.sql("update idempotency_keys set claimed_until = now() - interval '1 second' where key = $1", [key]);
  /** Leaves a claim as a process does that dies during the request. */
  const abandon = async (key: string, body: unknown) => {
    await post('/api/users', body, key);
    await world.sql(
      "update idempotency_keys set status = null, body = null, etag = null, claim_id = gen_random_uuid(), claimed_until = now() + interval '1 hour' where key = $1",
      [key],
    );
  };

  // Rules: IDEMPOTENCY-9
  test('stands for the key until it expires', async () => {
    const [key, person] = [randomUUID(), world.newPerson()];
    await abandon(key, person);
    expect((await post('/api/users', person, key)).code).toBe('IDEMPOTENCY_KEY_IN_PROGRESS');
    expect((await post('/api/users', { ...person, name: 'Bob' }, key)).code).toBe('IDEMPOTENCY_KEY_REUSED');
    await expire(key);
    expect((await post('/api/users', person, key)).code).toBe('USER_ALREADY_EXISTS');
    expect(await storedKeys(key)).toEqual([]);
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
});
