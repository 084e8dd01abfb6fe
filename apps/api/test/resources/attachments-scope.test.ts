import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { type Actor, type ApiResponse, outcome } from '../support/api.ts';
import { lookInto, upload } from '../support/files.ts';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';
import type { Attachment, AttachmentPage } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

/** Who sees an attachment, and who attaches a file to an organization, also while the scope of the caller changes. */
const world = useWorld();
const [a, b] = [useTenant(world), useTenant(world)];
const [memberOfA, memberOfB] = [useMember(world, a, 'tenant-admin'), useMember(world, b, 'tenant-admin')];
/** Has a grant on the organization that A and B share. */
const restricted = duringTests(() => world.person({ [a.id]: 'coordinator' }, { roles: ['attachments:delete'] }));

const callers = { A: () => memberOfA, restricted: () => restricted, B: () => memberOfB, global: () => world.global };
type Who = keyof typeof callers;
const organizations = { 'of A': '', 'of A and B': '', 'of a deleted organization': '', 'of an unknown id': absentId, 'of none': '' };

/** The files of organizations, and who uploads and who sees them, in the order of the uploads. */
const files: [of: keyof typeof organizations, by: Who, visibleTo: Who[]][] = [
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
  for (const name of ['of A', 'of A and B', 'of a deleted organization'] as const)
    organizations[name] = await linkedOrganization(world, a.id);
  const shared = organizations['of A and B'];
  await world.sql('insert into organization_tenants (tenant_id, organization_id) values ($1, $2)', [b.id, shared]);
  await restrict(world, restricted.id, a.id, [shared]);
  for (const [of, by] of files) ids.push((await upload(world, callers[by](), { entityId: organizations[of] })).body.id);
  await world.sql('update organizations set deleted_at = now() where id = $1', [organizations['of a deleted organization']]);
});

// Rules: ATTACHMENTS-19, SCOPE-11, SCOPE-12, SCOPE-13
test.each(Object.keys(callers) as Who[])('%s lists, reads, changes and deletes only attachments in the scope', async (caller) => {
  const call = <Body>(target: string, body?: object) => world.call<Body>(callers[caller](), target, body);
  const isVisible = (index: number) => files[index]![2].includes(caller);
  const { body } = await call<AttachmentPage>('GET /api/attachments?limit=100');
  const visible = ids.filter((_, index) => isVisible(index));
  expect([body.data.map(({ id }) => id).toReversed(), body.total]).toEqual([visible, visible.length]);
  for (const [index, id] of ids.entries()) {
    const expected = isVisible(index) ? 200 : 'ATTACHMENT_NOT_FOUND';
    expect(outcome(await call(`GET /api/attachments/${id}`))).toBe(expected);
    if (isVisible(index)) continue;
    const writes = [await call(`PUT /api/attachments/${id}`, { description: 'x' }), await call(`DELETE /api/attachments/${id}`)];
    expect(writes.map(({ code }) => code)).toEqual([expected, expected]);
  }
});

// Rules: TENANTS-8
test('attachments of a deleted tenant stay, and those without organization are visible only to Global users', async () => {
  const tenant = await world.tenant();
  const { body } = await upload(world, await world.person({ [tenant.id]: 'tenant-admin' }));
  const statusFor = async (actor: Actor) => (await world.call(actor, `GET /api/attachments/${body.id}`)).status;
  expect((await world.call(world.global, `DELETE /api/tenants/${tenant.id}`)).status).toBe(204);
  expect([await statusFor(memberOfA), await statusFor(world.global)]).toEqual([404, 200]);
});

/** An organization in the scope of A and of the RESTRICTED member. */
async function organizationInScope(): Promise<string> {
  const id = await linkedOrganization(world, a.id);
  await restrict(world, restricted.id, a.id, [id]);
  return id;
}
/** Uploads a file without organization. Returns the id of the attachment. */
const withoutOrganization = async (who: Who): Promise<string> => (await upload(world, callers[who]())).body.id;
const moving = (who: Who, id: string) => (entityId: string) =>
  world.call<Attachment>(callers[who](), `PUT /api/attachments/${id}`, { entityId });

const unlink = 'delete from organization_tenants where organization_id = $1';
const ungrant = 'delete from membership_organizations where organization_id = $1';
const deletion = 'update organizations set deleted_at = now() where id = $1';

describe.each<[string, (who: Who) => Promise<(entityId: string) => Promise<ApiResponse<Attachment>>>]>([
  ['POST', async (who) => (entityId) => upload(world, callers[who](), { entityId })],
  ['PUT', async (who) => moving(who, await withoutOrganization(who))],
])('%s of an attachment', (_method, begin) => {
  test.each<[string, Who, string]>([
    ['unlinked', 'A', unlink],
    ['unlinked', 'restricted', unlink],
    ['no longer granted', 'restricted', ungrant],
    ['deleted', 'A', deletion],
    ['deleted', 'restricted', deletion],
    ['deleted', 'global', deletion],
  ])('is refused if the organization is %s at the same time (%s), and leaves nothing', async (_what, who, statement) => {
    const [id, attach] = [await organizationInScope(), await begin(who)];
    const before = await lookInto(world).keys();
    expect(await raceAgainst(world, [statement, [id]], () => attach(id))).toMatchObject({ status: 403, code: 'NOT_ALLOWED_ORGANIZATION' });
    expect(await world.sql('select 1 from attachments where entity_id = $1', [id])).toEqual([]);
    expect(await lookInto(world).keys()).toEqual(before);
  });

  test('succeeds if the organization only changes at the same time', async () => {
    for (const who of ['A', 'restricted', 'global'] as const) {
      const [id, attach] = [await organizationInScope(), await begin(who)];
      const rename: [string, unknown[]] = ["update organizations set name = 'Renamed' where id = $1", [id]];
      expect((await raceAgainst(world, rename, () => attach(id))).body.entityId).toBe(id);
    }
  });
});

test.each<[string, Who, string]>([
  ['organization', 'global', 'select 1 from organizations where id = $1 for no key update nowait'],
  ['link', 'A', 'select 1 from organization_tenants where organization_id = $1 for update nowait'],
  ['grant', 'restricted', 'select 1 from membership_organizations where organization_id = $1 for update nowait'],
])('the %s that permits an attachment is locked until it is stored', async (_what, who, taking) => {
  const [id, attachment] = [await organizationInScope(), await withoutOrganization(who)];
  const answer = await raceAgainst(
    world,
    ['select 1 from attachments where id = $1 for update', [attachment]],
    () => moving(who, attachment)(id),
    (rival) => expect(rival.query(taking, [id])).rejects.toThrow('could not obtain lock'),
  );
  expect(answer).toMatchObject({ status: 200, body: { entityId: id } });
});

test('answers TENANT_NOT_ALLOWED for an upload if the tenant is deleted at the same time', async () => {
  const gone = await world.tenant();
  const mover = await world.person({ [gone.id]: 'tenant-admin' });
  const entityId = await linkedOrganization(world, gone.id);
  const request = () => upload(world, mover, { entityId });
  expect((await raceAgainst(world, ['delete from tenants where id = $1', [gone.id]], request)).code).toBe('TENANT_NOT_ALLOWED');
});
