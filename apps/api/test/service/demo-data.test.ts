import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadGeography } from '@profile-service/db/geography';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { duringTests } from '../../../../test/during-tests.ts';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { startEmbeddedServices } from '../../local/embedded.ts';
import { demoOrganizations } from '../../local/organizations.ts';
import { demoGlobal, demoPeople, demoTenants } from '../../local/people.ts';
import { seedDemoData } from '../../local/seed.ts';
import { startService } from '../../src/service/service.ts';
import { readSettings } from '../../src/settings.ts';

const demo = duringTests(
  async () => {
    const folder = await mkdtemp(join(await fastFolder(), 'profile-demo-'));
    const connectionString = await createTestDatabase();
    await loadGeography(connectionString, { onlyFirst: true });
    const embedded = await startEmbeddedServices({ DATABASE_URL: connectionString, PORT: '0', LOG_LEVEL: 'silent' }, folder, 0);
    const service = await startService(readSettings(embedded.environment));
    return { folder, embedded, service, database: new pg.Pool({ connectionString, max: 1 }), connectionString };
  },
  async ({ folder, embedded, service, database }) => {
    await service.stop();
    await embedded.stop();
    await database.end();
    await rm(folder, { recursive: true });
  },
);
const seed = () => seedDemoData(demo.service.url, demo.embedded.identity?.realmUrl ?? '', demo);

const sql = (text: string) => demo.database.query<{ text: string }>(text);
/** Runs a query that selects one text per row. */
const texts = async (text: string) => (await sql(`${text} order by 1`)).rows.map((row) => row.text);
const memberships = () =>
  texts(`select concat_ws(' ', email, persona, apps.name) as text from users
    left join memberships on user_id = users.id left join tenants on tenants.id = tenant_id left join apps on apps.id = app_id`);
const organizations = () =>
  texts(`select concat_ws(' ', apps.name, federal_tax_id, city_code, (select count(*) from organization_contacts c where c.organization_id = o.id)) as text
    from organizations o join organization_addresses a on a.organization_id = o.id
    join organization_tenants link on link.organization_id = o.id join tenants on tenants.id = tenant_id join apps on apps.id = app_id
    where o.deleted_at is null`);

const expectedMemberships = [demoGlobal, ...demoPeople]
  .flatMap(({ email, memberships: personas }) => {
    const named = Object.entries(personas).map(([app, persona]) => `${email} ${persona} ${app}`);
    return named.length > 0 ? named : [email];
  })
  .toSorted();
const expectedOrganizations = demoOrganizations
  .flatMap(({ apps, organization: { federalTaxId, address, contacts } }) =>
    apps.map((app) => `${app} ${federalTaxId} ${address.cityCode} ${contacts.length}`),
  )
  .toSorted();

test('the next start completes demo data wherever the previous one was interrupted', async () => {
  const realFetch = globalThis.fetch;
  onTestFinished(() => void vi.restoreAllMocks());
  let requestsLeft = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : input);
    const isToService = href.startsWith(demo.service.url);
    return isToService && (requestsLeft -= 1) < 0 ? Promise.reject(new TypeError('interrupted')) : realFetch(input, init);
  });
  let starts = 1;
  for (let isComplete = false; !isComplete; starts += 1) {
    requestsLeft = 4 * starts;
    isComplete = await seed()
      .then(() => true)
      .catch(() => false);
  }
  expect(starts).toBeGreaterThan(3);
  expect(await memberships()).toEqual(expectedMemberships);
  expect(await organizations()).toEqual(expectedOrganizations);
  expect(await texts('select identity_client_id as text from tenants')).toEqual(demoTenants.map(({ clientId }) => clientId));
});

// service/local-start.test.ts changes and deletes records before the second start.
test('a start completes missing data, also of a user whose e-mail was changed, and restores no deleted organization', async () => {
  await sql('truncate organizations cascade');
  await seed();
  expect(await organizations()).toEqual(expectedOrganizations);
  await sql('update organizations set deleted_at = now()');
  await seed();
  expect(await organizations()).toEqual([]);

  // The live user lacks a membership. Deleted ones have the same tax id.
  await sql(`update users set email = 'roberto@example.com' where email like 'beto%';
    delete from memberships using users where users.id = user_id and email like 'roberto%' and persona = 'tenant-admin';
    insert into users (id, id_identity, name, email, federal_tax_id, type, deleted_at)
    select gen_random_uuid(), gen_random_uuid(), name, email, federal_tax_id, type, now() from users, generate_series(1, 9) where email like 'roberto%'`);
  await seed();
  expect(await texts('select email as text from users where deleted_at is null')).toHaveLength(1 + demoPeople.length);
  expect(await memberships()).toContain('roberto@example.com tenant-admin Ledger');
});
