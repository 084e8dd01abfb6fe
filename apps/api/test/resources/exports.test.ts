import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@profile-service/contracts';
import { praca } from '@profile-service/contracts/examples';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type Actor, headersOf } from '../support/call.ts';
import { linkedOrganizations, organizationOf, restrict, useWorldWithMap } from '../support/organizations.ts';
import { recordLog } from '../support/recorded-log.ts';
import { useMember, useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();

type Item = Record<string, unknown>;
type Page = { data: Item[]; nextCursor: string | null };

const exports = endpoints.filter(({ endpoint }) => endpoint.path.endsWith('/export'));

const file = async (actor: Actor, path: string, url = world.service.url) => {
  const response = await fetch(`${url}${path}`, { headers: headersOf(actor) });
  // `text` would remove a byte order mark.
  return { status: response.status, headers: response.headers, text: Buffer.from(await response.arrayBuffer()).toString() };
};
/** The records of an NDJSON file. */
async function records(actor: Actor, path: string): Promise<Item[]> {
  const { status, text } = await file(actor, path);
  expect(status).toBe(200);
  expect(text.endsWith('\n') || text === '').toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Item);
}
/** All records of the list, without those that the walk itself does not see. */
async function listed(actor: Actor, path: string, query = ''): Promise<Item[]> {
  const found: Item[] = [];
  for (let cursor: string | null = path.includes('audit-entries') ? '' : '*'; cursor !== null;) {
    const { body }: { body: Page } = await world.call<Page>(actor, `GET ${path}?limit=100&cursor=${encodeURIComponent(cursor)}&${query}`);
    found.push(...body.data);
    cursor = body.nextCursor;
  }
  return found;
}
/** The audit entry of the last export. */
const lastEntry = async (actor: Actor): Promise<Item> =>
  (await world.call<{ data: [Item] }>(actor, 'GET /api/audit-entries?limit=1')).body.data[0];

const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');
const names = ['Ação "Vale"', '=1+1', '-2', "'=quoted", 'duas\nlinhas', 'ponto; e, vírgula', '@sum', 'Zebra'];

beforeAll(async () => {
  for (const name of names) await organizationOf(world, tenant, { name, contacts: [{ type: 'PHONE', value: '+55 11' }] });
  const { id } = await organizationOf(world, tenant, { name: 'Moved' });
  await world.create('POST /api/organization-addresses', { organizationId: id, ...praca, latitude: -25.5 });
  await world.call(
    world.global,
    `DELETE /api/organization-addresses/${(await organizationOf(world, tenant, { name: 'Without' })).organizationAddressId}`,
  );
  // More than one part of a file.
  await linkedOrganizations(world, tenant.id, 450);
});

describe.each(exports)('$name', ({ endpoint: { path, access } }) => {
  const list = path.replace(/\/export$/, '');
  const actors = () =>
    access.kind === 'service' ? [tenant.service] : /users|customers/.test(path) ? [world.global] : [world.global, admin];

  // Rules: EXPORTS-1, EXPORTS-2
  test('has the records of the list, in its order', async () => {
    for (const actor of actors()) {
      // Reading audit entries adds none; exporting them does.
      const expected = await listed(actor, list);
      const found = await records(actor, path);
      expect(found.map(({ address: _address, ...record }) => record)).toEqual(expected);
    }
  });

  // Rules: EXPORTS-2
  test('as CSV has the same records, with dots in the names of nested fields', async () => {
    const [actor] = actors() as [Actor];
    const expected = await records(actor, path);
    const { headers, text } = await file(actor, `${path}?format=csv`);
    expect(headers.get('content-type')).toBe('text/csv');
    const rows = parse(text, { columns: true }) as Record<string, string>[];
    const ofAudit = path.includes('audit');
    // The first export has added an entry.
    expect(rows.slice(ofAudit ? 1 : 0)).toEqual(expected.map((record) => cellsOf(record)));
  });

  // Rules: EXPORTS-5, EXPORTS-6
  test('has a name with type and date, also for HEAD, which adds no audit entry', async () => {
    const [actor] = actors() as [Actor];
    const { headers } = await file(actor, `${path}?format=csv`);
    const name = `${list.split('/').at(-1)}-${new Date().toISOString().slice(0, 10)}.csv`;
    expect(headers.get('content-disposition')).toBe(`attachment; filename=${name}`);
    const before = await lastEntry(world.global);
    const head = await fetch(`${world.service.url}${path}?format=csv`, { method: 'HEAD', headers: headersOf(actor) });
    expect([head.status, head.headers.get('content-disposition')]).toEqual([200, headers.get('content-disposition')]);
    expect(await lastEntry(world.global)).toEqual(before);
  });
});

/** The cells of a record. */
function cellsOf(record: Item, prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(record).map(([name, value]) => {
      const column = prefix + name;
      if (name === 'address' && value === null) return Object.fromEntries(addressFields.map((field) => [`${column}.${field}`, '']));
      if (['address', 'actor', 'record'].includes(name)) return cellsOf(value as Item, `${column}.`);
      const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
      return { [column]: /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text };
    }),
  ) as Record<string, string>;
}
const addressFields = [
  'zipCode',
  'street',
  'number',
  'complement',
  'district',
  'cityCode',
  'stateCode',
  'country',
  'latitude',
  'longitude',
];

describe('an export of organizations', () => {
  const path = '/api/organizations/export';
  const actor = () => admin;

  // Rules: EXPORTS-4
  test('has the current address', async () => {
    const found = await records(actor(), path);
    const of = (name: string) => found.find((record) => record['name'] === name)?.['address'];
    expect(of('Moved')).toEqual({ complement: null, country: 'Brasil', longitude: null, ...praca, latitude: -25.5, district: null });
    expect(of('Without')).toBeNull();
  });

  test('has what the filters select, in the order of `sort`', async () => {
    const query = 'sort=name,-createdAt&search=o&stateCode=35';
    const found = await records(actor(), `${path}?${query}`);
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ id }) => id)).toEqual((await listed(actor(), '/api/organizations', query)).map(({ id }) => id));
  });

  // Rules: EXPORTS-2, EXPORTS-3
  test('escapes what a spreadsheet would run as a formula', async () => {
    const { text } = await file(actor(), `${path}?format=csv&delimiter=;&bom=true`);
    expect(text.startsWith('\uFEFFid;')).toBe(true);
    expect(text.includes('\r\n')).toBe(true);
    const found = new Set((parse(text, { columns: true, delimiter: ';', bom: true }) as { name: string }[]).map(({ name }) => name));
    for (const name of ["'=1+1", "'-2", "''=quoted", "'@sum", 'duas\nlinhas', 'ponto; e, vírgula', 'Ação "Vale"'])
      expect(found).toContain(name);
  });

  // Rules: EXPORTS-6
  test('adds an audit entry with the filters and the number of records, and no event', async () => {
    const cursor = async () =>
      (await world.call<{ nextCursor: string }>(world.global, 'GET /api/events?startDate=2990-01-01')).body.nextCursor;
    const before = await cursor();
    const { text } = await file(actor(), `${path}?name=zebra&sort=-name&format=csv`);
    expect(text.split('\r\n')).toHaveLength(3);
    const entry = await lastEntry(actor());
    expect(entry).toMatchObject({
      operation: 'organizations.export',
      outcome: 'COMMITTED',
      actor: { kind: 'USER', id: admin.id },
      tenantId: tenant.id,
      record: { type: 'organization', id: null },
      changes: [],
      related: [],
      cascade: { rows: 1, filters: { name: 'zebra', sort: ['-name'] } },
    });
    expect(await cursor()).toBe(before);
  });

  test('by an application is an entry of the tenant', async () => {
    await file(tenant.service, '/service/organizations/export?active=true');
    expect(await lastEntry(world.global)).toMatchObject({
      operation: 'service.organizations.export',
      actor: { kind: 'APPLICATION', id: tenant.id },
      cascade: { filters: { active: true } },
    });
  });

  // Rules: AUDIT-28, EXPORTS-1
  test('shows a RESTRICTED member only organizations in scope, and not the filters of others', async () => {
    const member = await world.person({ [tenant.id]: 'viewer' }, { roles: ['audit-entries:read'] });
    const { id } = await organizationOf(world, tenant, { name: 'Granted' });
    await restrict(world, member.id, tenant.id, [id]);
    await file(actor(), `${path}?name=secret`);
    expect((await lastEntry(actor()))['cascade']).toMatchObject({ filters: { name: 'secret' } });
    const hidden = await lastEntry(member);
    expect([hidden['operation'], hidden['cascade']]).toEqual(['organizations.export', {}]);
    expect((await records(member, path)).map((record) => record['id'])).toEqual([id]);
  });

  // Rules: EXPORTS-5
  test('shows one moment', async () => {
    const response = await fetch(`${world.service.url}${path}`, { headers: headersOf(world.global) });
    const { id } = await organizationOf(world, tenant, { name: 'Later' });
    const found = (await response.text()).split('\n');
    expect(found.length).toBeGreaterThan(450);
    expect(found.some((line) => line.includes(id))).toBe(false);
  });
});

describe('an export that cannot be completed', () => {
  const path = '/api/organizations/export';
  // Larger than the buffers of the connection, so that the service waits for the reader.
  beforeAll(() =>
    world.sql(
      `insert into organizations (id, name, federal_tax_id, metadata)
       select gen_random_uuid(), 'Large ' || n, lpad(n::text, 14, 'L'), jsonb_build_object('text', repeat('x', 60000)) from generate_series(1, 300) n`,
    ),
  );

  /** Starts an export and does not read it. */
  async function open(settings: Record<string, string>) {
    const { log, lines } = recordLog();
    const instance = await world.another(settings, { log });
    const response = await fetch(`${instance.url}${path}?name=large`, { headers: headersOf(world.global) });
    expect(response.status).toBe(200);
    onTestFinished(() => response.body?.cancel().catch(() => undefined));
    const warnings = () => lines().filter(({ msg }) => msg === 'an export has failed');
    return { instance, response, warnings };
  }
  const snapshots = () =>
    world.sql<{ pid: number }>("select pid from pg_stat_activity where application_name = 'profile-service-exports' and state <> 'idle'");

  // Rules: EXPORTS-5, EXPORTS-6, EXPORTS-7
  test('breaks the connection of a reader that is slower than EXPORT_MAX_SECONDS, and ends the snapshot', async () => {
    const { response, warnings } = await open({ EXPORT_MAX_SECONDS: '1' });
    expect(await snapshots()).toHaveLength(1);
    await expect.poll(warnings).toMatchObject([{ reason: expect.stringContaining('in time') as unknown }]);
    await expect.poll(snapshots).toEqual([]);
    await expect(response.text()).rejects.toThrow('terminated');
    const { rows } = (await lastEntry(world.global))['cascade'] as { rows: number };
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(300);
  });

  test('breaks the connection when PostgreSQL ends the snapshot', async () => {
    const { response, warnings } = await open({});
    const [snapshot] = await snapshots();
    await world.sql('select pg_terminate_backend($1)', [snapshot?.pid]);
    await expect(response.text()).rejects.toThrow('terminated');
    await expect.poll(warnings).toHaveLength(1);
    expect(await lastEntry(world.global)).toMatchObject({ operation: 'organizations.export' });
  });

  test('ends the snapshot of a reader that has gone', async () => {
    const { response, warnings } = await open({});
    await response.body?.cancel();
    await expect.poll(snapshots).toEqual([]);
    await expect.poll(warnings).toHaveLength(1);
  });

  // Rules: EXPORTS-7
  test('waits for one of EXPORTS_AT_ONCE, of which a tenant has half', async () => {
    const { instance } = await open({ EXPORTS_AT_ONCE: '2', DATABASE_POOL_TIMEOUT_SECONDS: '1' });
    expect((await file(world.global, path, instance.url)).status).toBe(429);
    expect((await file(admin, path, instance.url)).status).toBe(200);
  });
});

const soffice = inject('soffice');

test.skipIf(!soffice)('LibreOffice opens the file with its accents, lines and formulas as text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'profile-export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { text } = await file(admin, '/api/organizations/export?format=csv&bom=true&sort=name');
  await writeFile(join(folder, 'file.csv'), text);
  // What the import dialog proposes for such a file: comma, quotation mark, UTF-8.
  const input = ['--infilter=CSV:44,34,76,1', join(folder, 'file.csv')];
  const run = ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', 'fods', '--outdir', folder, ...input];
  const { status, stderr } = spawnSync(soffice as string, run, { encoding: 'utf8', timeout: 50_000 });
  expect([status, stderr]).toEqual([0, expect.anything()]);
  const sheet = await readFile(join(folder, 'file.fods'), 'utf8');
  expect(sheet).toMatch(/Ação ("|&quot;)Vale/);
  expect(sheet).toMatch(/duas<\/text:p>\s*<text:p>linhas/);
  expect(sheet).not.toMatch('table:formula');
});
