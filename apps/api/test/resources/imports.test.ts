import { praca, saoPaulo } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { runImport } from '../support/imports.ts';
import { useWorldWithMap } from '../support/organizations.ts';
import { useMember, useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

const header = 'name,federalTaxId,address.zipCode,address.street,address.number,address.cityCode,address.stateCode';
const place = `${praca.zipCode},${praca.street},${praca.number},${saoPaulo.cityCode},${saoPaulo.stateCode}`;
const line = (name: string, taxId: string) => `${name},${taxId},${place}`;

describe('an import of organizations', () => {
  // Rules: IMPORTS-13, IMPORTS-15, IMPORTS-21
  test('creates a record for each row, with its audit entry and its event, and says why the others failed', async () => {
    const [one, two] = [world.newTaxId(), world.newTaxId()];
    const file = [header, line('Um', one), line('Dois', two), line('', world.newTaxId()), line('Outra vez', one)].join('\r\n');
    const { done, results } = await runImport(world, admin, { type: 'organizations' }, file);
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
    const events = await world.call<{ data: object[] }>(admin, `GET /api/events?recordId=${results[0]?.id}`);
    expect([events.status, (await world.call(admin, `GET /api/organizations/${results[0]?.id}`)).body]).toMatchObject([
      200,
      { name: 'Um', federalTaxId: one },
    ]);
  });
});
