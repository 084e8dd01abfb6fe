import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import { absentId, type Organization } from '../support/records.ts';
import type { World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let admin: { token: string };
beforeAll(async () => {
  world = await startWorldWithMap();
  tenant = await world.tenant();
  admin = await world.person({ [tenant.id]: 'tenant-admin' });
});
afterAll(() => world.stop());

const create = (fields: Record<string, unknown> = {}) => organizationOf(world, tenant, fields);
const get = (id: string, actor: { token?: string } = admin) => world.call<Organization>(actor, `GET /api/organizations/${id}`);
const update = (id: string, body: unknown, actor: { token?: string } = admin) =>
  world.call<Organization>(actor, `PUT /api/organizations/${id}`, body);

describe('GET /api/organizations/{id}', () => {
  // Rules: ORGANIZATIONS-11
  test('returns all fields, with the id in any case', async () => {
    const created = await create({ metadata: { a: 1 } });
    expect(await get(created.id.toUpperCase())).toMatchObject({ status: 200, body: created });
  });
});

describe('PUT /api/organizations/{id}', () => {
  // Rules: ORGANIZATIONS-12
  test('changes only the sent fields', async () => {
    const created = await create({ alias: 'C', metadata: { a: { b: 1 } } });
    const fields = { name: 'South', stateTaxId: '1', municipalTaxId: '2', logoPath: 'l.png', active: false, metadata: { a_b: { cD: [] } } };
    const { status, body } = await update(created.id, fields);
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, ...fields, updatedAt: body.updatedAt });
    expect(body.updatedAt > created.updatedAt).toBe(true);
    expect((await get(created.id)).body).toEqual(body);
    const emptied = { alias: null, stateTaxId: null, municipalTaxId: null, logoPath: null, metadata: null };
    expect((await update(created.id, { ...emptied, listed: false })).body).toMatchObject({ ...emptied, name: 'South', listed: false });
  });

  test('ignores fields that cannot change, such as federalTaxId', async () => {
    const created = await create();
    const wrong = { federalTaxId: '1', id: absentId, organizationAddressId: absentId, deletedAt: 'now', createdAt: 7, address: null };
    const { status, body } = await update(created.id, { ...created, ...wrong, alias: 'C' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, alias: 'C', updatedAt: body.updatedAt });
  });
});
