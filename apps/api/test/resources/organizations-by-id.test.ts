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
  test('gives an organization of the tenant with all its fields, the id in any case', async () => {
    const created = await create({ metadata: { a: 1 } });
    expect(await get(created.id.toUpperCase())).toMatchObject({ status: 200, body: created });
  });

  test('404 ORGANIZATION_NOT_FOUND outside the tenant, whether or not it exists, and for everybody where it does not', async () => {
    const foreign = await organizationOf(world, await world.tenant());
    const free = await organizationOf(world);
    for (const id of [foreign.id, free.id, absentId]) expect((await get(id)).code).toBe('ORGANIZATION_NOT_FOUND');
    expect(await get(foreign.id, world.global)).toMatchObject({ status: 200, body: foreign });
    expect((await get(absentId, world.global)).code).toBe('ORGANIZATION_NOT_FOUND');
  });
});

describe('PUT /api/organizations/{id}', () => {
  test('changes what is sent and nothing else', async () => {
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

  test('ignores what it does not change, right or wrong: federalTaxId is not editable, a client may send back the record', async () => {
    const created = await create();
    const wrong = { federalTaxId: '1', id: absentId, organizationAddressId: absentId, deletedAt: 'now', createdAt: 7, address: null };
    const { status, body } = await update(created.id, { ...created, ...wrong, alias: 'C' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...created, alias: 'C', updatedAt: body.updatedAt });
  });

  test('404 ORGANIZATION_NOT_FOUND outside the tenant, which is left as it is', async () => {
    const foreign = await organizationOf(world, await world.tenant());
    for (const body of [{ name: 'Taken' }, {}]) {
      expect((await update(foreign.id, body)).code).toBe('ORGANIZATION_NOT_FOUND');
      expect((await update(absentId, body)).code).toBe('ORGANIZATION_NOT_FOUND');
      expect((await update(absentId, body, world.global)).code).toBe('ORGANIZATION_NOT_FOUND');
    }
    expect((await get(foreign.id, world.global)).body).toEqual(foreign);
  });
});
