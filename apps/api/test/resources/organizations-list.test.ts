import { beforeAll, describe, expect, test } from 'vitest';
import { useTenant } from '../support/use-people.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { Organization, OrganizationPage } from '../support/records.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
/** Newest first. */
const made: Organization[] = [];

beforeAll(async () => {
  await make('Cooperativa São João', { listed: false });
  await make('COOPERATIVA SAO PEDRO', { active: false });
  await make('100% Café');
  await make('100 Cafés');
  await make('Back\\slash');
  await make(`O'Brien "Quoted"`);
  await make('Under_score', { active: false, listed: false });
  await organizationOf(world, await world.tenant(), { name: 'Cooperativa São Foreign' });
  const gone = await organizationOf(world, tenant, { name: 'Cooperativa São Gone' });
  await world.call(world.global, `DELETE /api/organizations/${gone.id}`);
});

const make = async (name: string, fields: Record<string, unknown> = {}) =>
  void made.unshift(await organizationOf(world, tenant, { name, ...fields }));

/** Both route families have the same filters. The viewer and the application have the same tenant. */
describe.each([
  ['GET /api/organizations', async () => world.person({ [tenant.id]: 'viewer' })],
  ['GET /service/organizations', async () => tenant.service],
])('%s', (target, actorOf) => {
  let actor: { token: string };
  beforeAll(async () => void (actor = await actorOf()));
  const list = (query = '') => world.call<OrganizationPage>(actor, `${target}?${query}`);
  const names = async (query: string) => (await list(query)).body.data.map(({ name }) => name).toSorted();

  // Rules: AUTH-13, ORGANIZATIONS-7
  test('lists only the organizations of the tenant with all fields, newest first, without deleted ones', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({ data: made, total: 7, totalPages: 1, currentPage: 1 });
  });

  // Rules: ORGANIZATIONS-8
  test.each([
    ['são', ['COOPERATIVA SAO PEDRO', 'Cooperativa São João']],
    ['são'.normalize('NFD'), ['COOPERATIVA SAO PEDRO', 'Cooperativa São João']],
    ['cafe', ['100 Cafés', '100% Café']],
    ['0% c', ['100% Café']],
    ['%', ['100% Café']],
    ['％', ['100% Café']],
    ['_', ['Under_score']],
    ['\\', ['Back\\slash']],
    ["'", [`O'Brien "Quoted"`]],
    ["' or true --", []],
    ['%'.repeat(255), []],
    ['🚜', []],
  ])('filters by names that contain %s', async (text, found) => {
    expect(await names(`name=${encodeURIComponent(text)}`)).toEqual(found);
  });

  // Rules: ORGANIZATIONS-8
  test('filters by active and listed, also together, and returns the total of the filtered list', async () => {
    expect(await names('active=false')).toEqual(['COOPERATIVA SAO PEDRO', 'Under_score']);
    expect(await names('listed=false')).toEqual(['Cooperativa São João', 'Under_score']);
    expect(await names('active=true&listed=false')).toEqual(['Cooperativa São João']);
    expect(await names('active=false&listed=false&name=under')).toEqual(['Under_score']);
    expect((await list('name=sao&limit=1')).body).toMatchObject({ total: 2, totalPages: 2, currentPage: 1 });
  });

  // Rules: ORGANIZATIONS-9
  test('filters by organizationId, in upper and lower case', async () => {
    const [first] = made;
    expect((await list(`organizationId=${first?.id.toUpperCase()}`)).body).toMatchObject({ data: [first], total: 1 });
    expect((await list(`organizationId=${first?.id}&active=true`)).body).toMatchObject({ data: [], total: 0 });
  });
});
