import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { Tenant } from '../support/people.ts';
import { raceAgainst } from '../support/race.ts';
import type { Organization, OrganizationPage } from '../support/records.ts';
import type { World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorldWithMap();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const find = (federalTaxId: string, by = tenant) =>
  world.call<Organization>(by.service, `GET /service/organizations/federal-tax-id/${encodeURIComponent(federalTaxId)}`);
const linksOf = (id: string) => world.sql('select tenant_id as id from organization_tenants where organization_id = $1', [id]);
const seen = async (by = tenant) =>
  (await world.call<OrganizationPage>(by.service, 'GET /service/organizations?limit=100')).body.data.map(({ id }) => id);
const deleted = async () => {
  const organization = await organizationOf(world);
  await world.call(world.global, `DELETE /api/organizations/${organization.id}`);
  return organization;
};

describe('GET /service/organizations/federal-tax-id/{federalTaxId}', () => {
  // Rules: LINKS-6, SCOPE-9
  test('finds an organization of any tenant and links it once', async () => {
    const organization = await organizationOf(world, await world.tenant());
    expect(await seen()).not.toContain(organization.id);
    for (let time = 0; time < 2; time += 1) {
      expect(await find(organization.federalTaxId)).toMatchObject({ status: 200, body: organization });
      expect(await linksOf(organization.id)).toHaveLength(2);
    }
    expect(await seen()).toContain(organization.id);
  });

  test('makes one link if several calls run at the same time', async () => {
    const { id, federalTaxId } = await organizationOf(world);
    const answers = await Promise.all(Array.from({ length: 8 }, () => find(federalTaxId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await linksOf(id)).toEqual([{ id: tenant.id }]);
  });

  test('accepts every character that a tax id may have', async () => {
    const federalTaxId = `/?%#é ${world.newTaxId().slice(-8)}`;
    const { id } = await organizationOf(world, undefined, { federalTaxId });
    expect((await find(federalTaxId)).body).toMatchObject({ id, federalTaxId });
  });

  test.each(['1'.repeat(10), '1'.repeat(15)])('rejects %s, which is not a federalTaxId', async (federalTaxId) => {
    expect((await find(federalTaxId)).body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'federalTaxId' }] });
  });

  // Rules: LINKS-7
  test('answers ORGANIZATION_NOT_FOUND for a deleted organization', async () => {
    expect(await find('9'.repeat(14))).toMatchObject({ status: 404, code: 'ORGANIZATION_NOT_FOUND' });
    expect((await find((await deleted()).federalTaxId)).code).toBe('ORGANIZATION_NOT_FOUND');
  });

  test('answers CLIENT_NOT_LINKED if the tenant is deleted at the same time', async () => {
    const [{ federalTaxId }, gone] = [await organizationOf(world), await world.tenant()];
    const deletion: [string, unknown[]] = ['delete from tenants where id = $1', [gone.id]];
    expect((await raceAgainst(world, deletion, () => find(federalTaxId, gone))).code).toBe('CLIENT_NOT_LINKED');
  });
});
