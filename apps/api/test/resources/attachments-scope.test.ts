import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
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

interface File {
  of: keyof typeof organizations;
  by: string;
  visibleTo: string[];
}
/** In the order of their upload. */
const files: File[] = [
  { of: 'of A', by: 'A', visibleTo: ['A', 'global'] },
  { of: 'of A and B', by: 'A', visibleTo: ['A', 'restricted', 'B', 'global'] },
  { of: 'of A and B', by: 'B', visibleTo: ['A', 'restricted', 'B', 'global'] },
  { of: 'of an unknown id', by: 'A', visibleTo: ['A', 'global'] },
  { of: 'of none', by: 'restricted', visibleTo: ['A', 'restricted', 'global'] },
  { of: 'of none', by: 'B', visibleTo: ['B', 'global'] },
  { of: 'of none', by: 'global', visibleTo: ['global'] },
  { of: 'of a deleted organization', by: 'A', visibleTo: [] },
];
const ids: string[] = [];

beforeAll(async () => {
  restricted = await world.person({ [a.id]: 'coordinator' }, { roles: ['attachments:delete'] });
  for (const name of ['of A', 'of A and B', 'of a deleted organization'] as const)
    organizations[name] = await linkedOrganization(world, a.id);
  const shared = organizations['of A and B'];
  await world.sql('insert into organization_tenants (tenant_id, organization_id) values ($1, $2)', [b.id, shared]);
  await restrict(world, restricted.id, a.id, [shared]);
  for (const { by, of } of files) ids.push((await upload(world, callers[by]!(), { entityId: organizations[of] })).body.id);
  await world.sql('update organizations set deleted_at = now() where id = $1', [organizations['of a deleted organization']]);
});

describe.each(Object.entries(callers))('the caller %s', (caller, actorOf) => {
  // Rules: SCOPE-11, SCOPE-12
  test('sees only attachments in the scope in the list and its total', async () => {
    const { body } = await world.call<AttachmentPage>(actorOf(), 'GET /api/attachments?limit=100');
    const visible = ids.filter((_, index) => files[index]?.visibleTo.includes(caller));
    expect(body.data.map(({ id }) => id).toReversed()).toEqual(visible);
    expect(body.total).toBe(visible.length);
  });

  // Rules: SCOPE-11, SCOPE-12, SCOPE-13
  test('downloads attachments in the scope, and gets ATTACHMENT_NOT_FOUND for others', async () => {
    const outcomes = [];
    for (const id of ids) outcomes.push(outcome(await world.call(actorOf(), `GET /api/attachments/${id}`)));
    expect(outcomes).toEqual(files.map(({ visibleTo }) => (visibleTo.includes(caller) ? 200 : 'ATTACHMENT_NOT_FOUND')));
  });

  // Rules: ATTACHMENTS-19, SCOPE-11, SCOPE-12
  test('neither changes nor deletes attachments outside the scope', async () => {
    for (const id of ids.filter((_, index) => !files[index]?.visibleTo.includes(caller))) {
      const change = await world.call(actorOf(), `PUT /api/attachments/${id}`, { description: 'x' });
      const deletion = await world.call(actorOf(), `DELETE /api/attachments/${id}`);
      expect([change.code, deletion.code]).toEqual(['ATTACHMENT_NOT_FOUND', 'ATTACHMENT_NOT_FOUND']);
    }
  });
});

// Rules: SCOPE-14
test('a RESTRICTED member uploads only to granted organizations', async () => {
  const entityId = organizations['of A'];
  expect((await upload(world, restricted, { entityId })).code).toBe('NOT_ALLOWED_ORGANIZATION');
  const own = `PUT /api/attachments/${ids[files.findIndex(({ by }) => by === 'restricted')]}`;
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
