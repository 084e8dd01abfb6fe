import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { organizationOf, startWorldWithMap } from '../support/organizations.ts';
import type { OrganizationContact, OrganizationContactPage } from '../support/records.ts';
import type { World } from '../support/world.ts';

/** Specification part 2: at most one contact of an organization is primary, and making one primary clears it on the others. */
let world: World;
beforeAll(async () => (world = await startWorldWithMap()));
afterAll(() => world.stop());

const create = (organizationId: string, isPrimary: boolean) =>
  world.call<OrganizationContact>(world.global, 'POST /api/organization-contacts', {
    organizationId,
    type: 'PHONE',
    value: '1',
    isPrimary,
  });
const update = (id: string, body: unknown) => world.call<OrganizationContact>(world.global, `PUT /api/organization-contacts/${id}`, body);
const remove = (id: string) => world.call(world.global, `DELETE /api/organization-contacts/${id}`);
const contactsOf = async (id: string) =>
  (await world.call<OrganizationContactPage>(world.global, `GET /api/organization-contacts?limit=100&organizationId=${id}`)).body.data;
const primaryOf = async (id: string) => (await contactsOf(id)).filter(({ isPrimary }) => isPrimary).map((contact) => contact.id);

describe('the primary contact', () => {
  test('gives way to one that is created as primary, which is a change of it', async () => {
    const { id } = await organizationOf(world);
    const { body: first } = await create(id, true);
    const { body: second } = await create(id, true);
    expect(second.isPrimary).toBe(true);
    expect(await primaryOf(id)).toEqual([second.id]);
    const [, before] = await contactsOf(id);
    expect(before).toEqual({ ...first, isPrimary: false, updatedAt: before?.updatedAt });
    expect((before?.updatedAt ?? '') > first.updatedAt).toBe(true);
  });

  test('gives way to one that is made primary; the others stay as they are', async () => {
    const { id } = await organizationOf(world);
    const [{ body: first }, { body: second }, { body: third }] = [await create(id, true), await create(id, false), await create(id, false)];
    const { status, body } = await update(second.id, { isPrimary: true });
    expect(status).toBe(200);
    expect(body).toEqual({ ...second, isPrimary: true, updatedAt: body.updatedAt });
    expect(await primaryOf(id)).toEqual([second.id]);
    expect((await contactsOf(id)).find((contact) => contact.id === third.id)).toEqual(third);
    expect(await update(first.id, { isPrimary: false })).toMatchObject({ status: 200 });
    expect(await primaryOf(id)).toEqual([second.id]);
  });

  test('may be made primary again, changed, and be none', async () => {
    const { id } = await organizationOf(world);
    const { body: contact } = await create(id, true);
    expect(await update(contact.id, { isPrimary: true, value: '2' })).toMatchObject({ status: 200, body: { isPrimary: true, value: '2' } });
    expect((await update(contact.id, { isPrimary: false })).body.isPrimary).toBe(false);
    expect(await primaryOf(id)).toEqual([]);
  });

  test('is one of its organization: others keep theirs', async () => {
    const [one, other] = [await organizationOf(world), await organizationOf(world)];
    const [{ body: first }, { body: second }] = [await create(one.id, true), await create(other.id, true)];
    expect([await primaryOf(one.id), await primaryOf(other.id)]).toEqual([[first.id], [second.id]]);
  });

  test('is one after 20 creations at once', async () => {
    const { id } = await organizationOf(world);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(id, true)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await contactsOf(id)).toHaveLength(20);
    expect(await primaryOf(id)).toHaveLength(1);
  });

  test('is one after updates, creations and deletions at once', async () => {
    const { id } = await organizationOf(world);
    const ids = [];
    for (let index = 0; index < 6; index += 1) ids.push((await create(id, index === 0)).body.id);
    const answers = await Promise.all([
      ...ids.map((each) => update(each, { isPrimary: true })),
      ...ids.map((each, index) => update(each, { value: String(index) })),
      create(id, true),
      create(id, false),
      create(id, true),
      ...ids.slice(0, 2).map(remove),
    ]);
    for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status);
    expect((await primaryOf(id)).length).toBeLessThanOrEqual(1);
    expect(await contactsOf(id)).toHaveLength(7);
    await update(ids[5] ?? '', { isPrimary: true });
    expect(await primaryOf(id)).toEqual([ids[5]]);
  });
});
