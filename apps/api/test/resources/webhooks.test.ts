import { randomUUID } from 'node:crypto';
import { SecretBox } from '@profile-service/webhooks';
import { describe, expect, test, vi } from 'vitest';
import type { Actor } from '../support/api.ts';
import { raceAgainst } from '../support/race.ts';
import { recordLog } from '../support/recorded-log.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

/** Whose webhooks are created, the check of the URL, secrets in the database and their rotation, and disabled webhooks. */
const world = useWorld();
const [tenant, other] = [useTenant(world), useTenant(world)];

const body = { url: 'https://hooks.example.com/profile', types: ['*'] };

interface Webhook {
  id: string;
  tenantId: string | null;
  secret: string;
}
const call = <Body = Webhook>(target: string, sent?: unknown, actor: Actor = world.global, headers: Record<string, string> = {}) =>
  world.call<Body>(actor, target, sent, headers);
const create = async (fields: object = {}) => (await call('POST /api/webhooks', { ...body, ...fields })).body;
const rotate = (id: string, headers?: Record<string, string>) =>
  call<{ secret: string; previousSecretExpiresAt: string }>(`POST /api/webhooks/${id}/secret`, undefined, undefined, headers);

interface Row {
  secret: Buffer;
  previousSecret: Buffer | null;
  expiresAt: Date | null;
  /** From the rotation to the end of the previous secret. */
  hours: number | null;
  version: string;
}
const rowOf = async (id: string) =>
  (
    await world.sql<Row>(
      `select secret, previous_secret as "previousSecret", version,
        previous_secret_expires_at as "expiresAt",
        (extract(epoch from previous_secret_expires_at - updated_at) / 3600)::float as hours from webhooks where id = $1`,
      [id],
    )
  )[0]!;
const open = (sealed: Buffer | null): string | null =>
  sealed && new SecretBox(Buffer.from(world.environment['WEBHOOK_ENCRYPTION_KEY'] ?? '', 'base64')).decrypt(sealed);

describe('a new webhook', () => {
  // Rules: WEBHOOKS-1, WEBHOOKS-3
  test('belongs to the active tenant, whatever the body says, and for a Global user without one to the tenant of the body', async () => {
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const global = { ...(await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' })), tenant: tenant.id };
    for (const tenantId of [undefined, null, other.id, randomUUID()])
      for (const actor of [admin, global])
        expect((await call('POST /api/webhooks', { ...body, tenantId }, actor)).body).toMatchObject({ tenantId: tenant.id });
    expect([await create(), await create({ tenantId: other.id })]).toMatchObject([{ tenantId: null }, { tenantId: other.id }]);
  });

  // Rules: ACCESS-17, WEBHOOKS-1
  test('cannot be made, and none can be read, by a RESTRICTED member, whatever gives access; a tenant-admin is not RESTRICTED', async () => {
    const roles = ['create', 'read', 'update', 'delete'].map((action) => `webhooks:${action}`);
    const member = await world.person({ [tenant.id]: 'coordinator' }, { roles: [...roles, 'super_admin'] });
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const { id } = await create({ tenantId: tenant.id });
    expect((await call(`GET /api/webhooks/${id}`, undefined, member)).status).toBe(200);
    for (const person of [member, admin])
      await call(`PUT /api/users/${person.id}/tenants/${tenant.id}/organizations`, { scope: 'RESTRICTED', organizationIds: [] });
    const targets = [
      'POST /api/webhooks',
      'GET /api/webhooks',
      ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /api/webhooks/${id}`),
    ];
    for (const target of [...targets, `POST /api/webhooks/${id}/secret`])
      expect((await call(target, /^(PUT|POST .*s$)/.test(target) ? body : undefined, member)).code).toBe('NOT_ALLOWED');
    expect((await call(`GET /api/webhooks/${id}`, undefined, admin)).status).toBe(200);
  });

  // Rules: WEBHOOKS-3, WEBHOOKS-12
  test('is refused when its tenant is deleted at the same time, and a tenant is deleted with its webhooks', async () => {
    const [mine, named] = [await world.tenant(), await world.tenant()];
    const admin = await world.person({ [mine.id]: 'tenant-admin' });
    const raced = (of: { id: string }, work: () => Promise<{ code?: string | undefined }>) =>
      raceAgainst(world, ['select 1 from tenants where id = $1 for update', [of.id]], work, (rival) =>
        rival.query('delete from tenants where id = $1', [of.id]),
      );
    const { id } = await create({ tenantId: named.id });
    expect((await raced(mine, () => call('POST /api/webhooks', body, admin))).code).toBe('TENANT_NOT_ALLOWED');
    expect((await raced(named, () => call('POST /api/webhooks', { ...body, tenantId: named.id }))).code).toBe('TENANT_NOT_FOUND');
    expect((await call(`GET /api/webhooks/${id}`)).code).toBe('WEBHOOK_NOT_FOUND');
  });
});

// Rules: WEBHOOKS-5
test('the URL is checked with its addresses at POST and PUT, except a stored one that a PUT sends back', async () => {
  const wrong: [url: string, detail: string][] = [
    ['http://hooks.example.com/', 'The URL must begin with https://.'],
    ['https://ana:secret@hooks.example.com/', 'The URL must not contain a user name or a password.'],
    ['https://unknown.invalid/', 'The host name does not resolve to a public address.'],
  ];
  const { id } = await create();
  for (const [url, detail] of wrong)
    for (const [target, sent] of [
      ['POST /api/webhooks', { ...body, url }],
      [`PUT /api/webhooks/${id}`, { url, description: 'not stored' }],
    ] as const)
      expect(await call(target, sent)).toMatchObject({ status: 400, code: 'WEBHOOK_URL_NOT_ALLOWED', body: { detail } });
  expect((await call(`GET /api/webhooks/${id}`)).body).toMatchObject({ url: body.url, description: null });

  // Its host has lost its address.
  const gone = 'https://gone.invalid/';
  await world.sql('update webhooks set url = $2 where id = $1', [id, gone]);
  expect(await call(`PUT /api/webhooks/${id}`, { url: gone, description: 'ERP' })).toMatchObject({
    status: 200,
    body: { description: 'ERP' },
  });
});

// Rules: WEBHOOKS-15
test('20 URLs of a tenant are checked at once. A further request waits, then gets 429; another tenant is not limited', async () => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  let lookUps = 0;
  // The deliveries to other webhooks look up addresses too.
  const slowBody = { ...body, url: 'https://slow.example.com' };
  const resolveHost = async (host: string) => {
    if (host === 'slow.example.com') {
      lookUps += 1;
      await answered;
    }
    return ['93.184.216.34'];
  };
  const slow = await world.another({}, { resolveHost, tenantLimits: { waitMs: 1000 } });
  const admin = await world.person({ [tenant.id]: 'tenant-admin' });
  const sent = Array.from({ length: 21 }, () => slow.call(world.global, 'POST /api/webhooks', slowBody));
  expect(await Promise.race(sent)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect(lookUps).toBe(20);
  const others = slow.call(admin, 'POST /api/webhooks', slowBody);
  await vi.waitUntil(() => lookUps === 21);
  answer();
  const statuses = (await Promise.all([...sent, others])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array.from({ length: 21 }, () => 201), 429]);
});

describe('the secret', () => {
  // Rules: WEBHOOKS-6, WEBHOOKS-7, WEBHOOKS-10
  test('is in the response of POST only, and nowhere in the database as text, also not in a stored response', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { id, secret } = (await call('POST /api/webhooks', body, undefined, key)).body;
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const { secret: rotated } = (await rotate(id, { 'idempotency-key': randomUUID() })).body;
    const shown = [
      await call(`GET /api/webhooks/${id}`),
      await call('GET /api/webhooks?limit=100'),
      await call(`PUT /api/webhooks/${id}`, { description: 'ERP' }),
      await call(`GET /api/audit-entries?recordId=${id}`),
    ].map(({ bytes }) => bytes.toString());
    const tables = ['webhooks', 'journal', 'idempotency_keys', 'pgboss.job'];
    const stored = await Promise.all(tables.map((table) => world.sql(`select to_jsonb(stored)::text from ${table} stored`)));
    const text = [...shown, JSON.stringify(stored)].join();
    for (const plain of [secret, rotated]) {
      const [, base64 = ''] = plain.split('_');
      // Bytes are in hexadecimal.
      for (const form of [base64, Buffer.from(plain).toString('hex')]) expect(text).not.toContain(form);
    }
    const { secret: sealed, previousSecret } = await rowOf(id);
    expect([open(sealed), open(previousSecret)]).toEqual([rotated, secret]);
  });

  // Rules: WEBHOOKS-7
  test('is in the repeated response of an Idempotency-Key, also after a rotation and a deletion', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await call('POST /api/webhooks', body, undefined, key);
    await rotate(first.body.id);
    await call(`DELETE /api/webhooks/${first.body.id}`);
    expect((await call('POST /api/webhooks', body, undefined, key)).body).toEqual(first.body);
  });

  // Rules: WEBHOOKS-13, WEBHOOKS-14
  test('of a rotation replaces the current one, which stays valid for 24 hours, and only the newest previous one is kept', async () => {
    const { id, secret: first } = await create();
    const [before, { version }] = [await call<{ updatedAt: string }>(`GET /api/webhooks/${id}`), await rowOf(id)];
    const { status, body: second } = await rotate(id);
    expect(status).toBe(200);
    const row = await rowOf(id);
    expect([open(row.secret), open(row.previousSecret), row.hours]).toEqual([second.secret, first, 24]);
    expect(row.expiresAt).toEqual(new Date(second.previousSecretExpiresAt));
    expect(Number(row.version)).toBeGreaterThan(Number(version));
    const after = await call<{ updatedAt: string }>(`GET /api/webhooks/${id}`);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.body.updatedAt > before.body.updatedAt).toBe(true);
    const { body: third } = await rotate(id);
    const last = await rowOf(id);
    expect([open(last.secret), open(last.previousSecret)]).toEqual([third.secret, second.secret]);
  });

  // Rules: WEBHOOKS-8
  test('needs WEBHOOK_ENCRYPTION_KEY: without it, creations, rotations and their repetitions are 503, and the log says why', async () => {
    const { log, text } = recordLog();
    const without = await world.another({ WEBHOOK_ENCRYPTION_KEY: '' }, { log });
    const key = { 'idempotency-key': randomUUID() };
    const { id } = (await call('POST /api/webhooks', body, undefined, key)).body;
    for (const headers of [{}, key]) {
      const refused = await without.call(world.global, 'POST /api/webhooks', body, headers);
      expect([refused.status, refused.code, refused.headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    }
    expect((await without.call(world.global, `POST /api/webhooks/${id}/secret`)).code).toBe('SERVICE_UNAVAILABLE');
    expect(text()).toContain('WEBHOOK_ENCRYPTION_KEY is not set');
    expect((await without.call(world.global, `PUT /api/webhooks/${id}`, { description: 'ERP' })).status).toBe(200);
    expect((await without.call(world.global, `DELETE /api/webhooks/${id}`)).status).toBe(204);
  });
});

// Rules: WEBHOOKS-11
test('a PUT with active true enables a disabled webhook again, also if it was active; other changes do not', async () => {
  for (const active of [true, false]) {
    const { id } = await create({ active });
    await world.sql(`update webhooks set disabled_at = now(), disabled_reason = 'FAILING' where id = $1`, [id]);
    for (const sent of [{}, { description: 'ERP' }, { active: false }])
      expect((await call(`PUT /api/webhooks/${id}`, sent)).body).toMatchObject({
        disabledAt: expect.any(String),
        disabledReason: 'FAILING',
      });
    if (active) await world.sql('update webhooks set active = true where id = $1', [id]);
    expect((await call(`PUT /api/webhooks/${id}`, { active: true })).body).toMatchObject({
      active: true,
      disabledAt: null,
      disabledReason: null,
    });
    const [event] = await world.sql('select changed from events where record_id = $1 order by sequence desc limit 1', [id]);
    expect(event).toEqual({ changed: [...(active ? [] : ['active']), 'disabledAt', 'disabledReason'] });
  }
});
