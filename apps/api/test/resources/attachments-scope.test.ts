import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, expect, test } from 'vitest';
import { type Actor, outcome } from '../support/api.ts';
import { upload } from '../support/files.ts';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import type { AttachmentPage } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const [a, b] = [useTenant(world), useTenant(world)];
const [memberOfA, memberOfB] = [useMember(world, a, 'tenant-admin'), useMember(world, b, 'tenant-admin')];
/** Has a grant on the organization that A and B share. */
let restricted: Person;

const callers: Record<string, () => Actor> = {
  A: () => memberOfA,
  restricted: () => restricted,
  B: () => memberOfB,
  global: () => world.global,
};
const organizations = { 'of A': '', 'of A and B': '', 'of a deleted organization': '', 'of an unknown id': absentId, 'of none': '' };

/** The files of organizations, and who uploads and who sees them, in the order of the uploads. */
const files: [of: keyof typeof organizations, by: string, visibleTo: string[]][] = [
  ['of A', 'A', ['A', 'global']],
  ['of A and B', 'A', ['A', 'restricted', 'B', 'global']],
  ['of A and B', 'B', ['A', 'restricted', 'B', 'global']],
  ['of an unknown id', 'A', ['A', 'global']],
  ['of none', 'restricted', ['A', 'restricted', 'global']],
  ['of none', 'B', ['B', 'global']],
  ['of none', 'global', ['global']],
  ['of a deleted organization', 'A', []],
];
const ids: string[] = [];

beforeAll(async () => {
  restricted = await world.person({ [a.id]: 'coordinator' }, { roles: ['attachments:delete'] });
  for (const name of ['of A', 'of A and B', 'of a deleted organization'] as const)
    organizations[name] = await linkedOrganization(world, a.id);
  const shared = organizations['of A and B'];
  await world.sql('insert into organization_tenants (tenant_id, organization_id) values ($1, $2)', [b.id, shared]);
  await restrict(world, restricted.id, a.id, [shared]);
  for (const [of, by] of files) ids.push((await upload(world, callers[by]!(), { entityId: organizations[of] })).body.id);
  await world.sql('update organizations set deleted_at = now() where id = $1', [organizations['of a deleted organization']]);
});

// Rules: ATTACHMENTS-19, SCOPE-11, SCOPE-12, SCOPE-13
test.each(Object.keys(callers))('the caller %s lists, reads, changes and deletes only attachments in the scope', async (caller) => {
  const actor = callers[caller]!();
  const isVisible = (index: number) => files[index]![2].includes(caller);
  const { body } = await world.call<AttachmentPage>(actor, 'GET /api/attachments?limit=100');
  const visible = ids.filter((_, index) => isVisible(index));
  expect([body.data.map(({ id }) => id).toReversed(), body.total]).toEqual([visible, visible.length]);
  for (const [index, id] of ids.entries()) {
    const expected = isVisible(index) ? 200 : 'ATTACHMENT_NOT_FOUND';
    expect(outcome(await world.call(actor, `GET /api/attachments/${id}`))).toBe(expected);
    if (isVisible(index)) continue;
    expect((await world.call(actor, `PUT /api/attachments/${id}`, { description: 'x' })).code).toBe(expected);
    expect((await world.call(actor, `DELETE /api/attachments/${id}`)).code).toBe(expected);
  }
});

// Rules: SCOPE-14
test('a RESTRICTED member uploads only to granted organizations', async () => {
  const entityId = organizations['of A'];
  expect((await upload(world, restricted, { entityId })).code).toBe('NOT_ALLOWED_ORGANIZATION');
  const own = `PUT /api/attachments/${ids[files.findIndex(([, by]) => by === 'restricted')]}`;
  expect((await world.call(restricted, own, { entityId })).code).toBe('NOT_ALLOWED_ORGANIZATION');
});

// Rules: TENANTS-8
test('attachments of a deleted tenant stay, and those without organization are visible only to Global users', async () => {
  const tenant = await world.tenant();
  const { body } = await upload(world, await world.person({ [tenant.id]: 'tenant-admin' }));
  const statusFor = async (actor: Actor) => (await world.call(actor, `GET /api/attachments/${body.id}`)).status;
  expect((await world.call(world.global, `DELETE /api/tenants/${tenant.id}`)).status).toBe(204);
  expect([await statusFor(memberOfA), await statusFor(world.global)]).toEqual([404, 200]);
});
