import { praca, saoPaulo } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { type Actor, headersOf } from '../support/call.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { useMember, useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

interface Import {
  id: string;
  status: string;
  code: string | null;
  message: string | null;
  rows: number | null;
  processed: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}
interface Result {
  row: number;
  status: string;
  id: string | null;
  code: string | null;
  errors: { path: string; message: string }[];
}

const upload = (actor: Actor, fields: Record<string, string>, content: string | Uint8Array<ArrayBuffer>, name = 'file.csv') => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([content]), name);
  return world.call<Import>(actor, 'POST /api/imports', form);
};

/** Uploads a file, waits for the end of the import, and returns it with its results. */
async function run(actor: Actor, fields: Record<string, string>, content: string | Uint8Array<ArrayBuffer>, name?: string) {
  const { status, body } = await upload(actor, fields, content, name);
  expect([status, body]).toEqual([202, expect.objectContaining({ status: 'QUEUED' })]);
  const { id } = body;
  await expect
    .poll(async () => (await world.call<Import>(actor, `GET /api/imports/${id}`)).body.status, { interval: 50 })
    .not.toMatch(/QUEUED|RUNNING/);
  return { done: (await world.call<Import>(actor, `GET /api/imports/${id}`)).body, results: await resultsOf(actor, id) };
}
async function resultsOf(actor: Actor, id: string, query = ''): Promise<Result[]> {
  const response = await fetch(`${world.service.url}/api/imports/${id}/results?${query}`, { headers: headersOf(actor) });
  expect(response.status).toBe(200);
  return (await response.text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Result);
}
const header = 'name,federalTaxId,address.zipCode,address.street,address.number,address.cityCode,address.stateCode';
const place = `${praca.zipCode},${praca.street},${praca.number},${saoPaulo.cityCode},${saoPaulo.stateCode}`;
const line = (name: string, taxId: string) => `${name},${taxId},${place}`;

describe('an import of organizations', () => {
  test('creates a record for each row, with its audit entry and its event, and says why the others failed', async () => {
    const [one, two] = [world.newTaxId(), world.newTaxId()];
    const file = [header, line('Um', one), line('Dois', two), line('', world.newTaxId()), line('Outra vez', one)].join('\r\n');
    const { done, results } = await run(admin, { type: 'organizations' }, file);
    expect(done).toMatchObject({ status: 'COMPLETED', rows: 4, processed: 4, created: 2, updated: 0, unchanged: 0, failed: 2 });
    expect(results).toMatchObject([
      { row: 1, status: 'CREATED' },
      { row: 2, status: 'CREATED' },
      { row: 3, status: 'FAILED', code: 'VALIDATION_FAILED', errors: [{ path: 'name' }] },
      { row: 4, status: 'FAILED', code: 'ORGANIZATION_ALREADY_EXISTS', errors: [] },
    ]);
    const { body } = await world.call<{ data: object[] }>(admin, `GET /api/audit-entries?recordId=${results[0]?.id}`);
    expect(body.data).toMatchObject([
      { operation: 'organizations.create', actor: { id: admin.id }, requestId: done.id, tenantId: tenant.id },
    ]);
    expect((await world.call(admin, `GET /api/organizations/${results[0]?.id}`)).body).toMatchObject({ name: 'Um', federalTaxId: one });
  });
});
