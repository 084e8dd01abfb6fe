import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/api.ts';
import { lookInto, upload } from '../support/files.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import { raceAgainst } from '../support/race.ts';
import type { Attachment } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

/** An organization is removed from the caller's scope while the caller attaches a file to it. */
const world = useWorld();
const tenant = useTenant(world);
const restricted = useMember(world, tenant, 'coordinator');
const member = useMember(world, tenant, 'tenant-admin');

/** An organization in the scope of both members. */
async function organizationInScope(): Promise<string> {
  const id = await linkedOrganization(world, tenant.id);
  await restrict(world, restricted.id, tenant.id, [id]);
  return id;
}

const actors = { member: () => member, restricted: () => restricted, global: () => world.global };
type Who = keyof typeof actors;

/** Uploads a file without organization. Returns the id of the attachment. */
const withoutOrganization = async (who: Who): Promise<string> => (await upload(world, actors[who]())).body.id;
const moving = (who: Who, id: string) => (entityId: string) =>
  world.call<Attachment>(actors[who](), `PUT /api/attachments/${id}`, { entityId });

const unlink = 'delete from organization_tenants where organization_id = $1';
const ungrant = 'delete from membership_organizations where organization_id = $1';
const deletion = 'update organizations set deleted_at = now() where id = $1';

describe.each<[string, (who: Who) => Promise<(entityId: string) => Promise<ApiResponse<Attachment>>>]>([
  ['POST', async (who) => (entityId) => upload(world, actors[who](), { entityId })],
  ['PUT', async (who) => moving(who, await withoutOrganization(who))],
])('%s of an attachment', (_method, begin) => {
  test.each<[string, Who, string]>([
    ['unlinked', 'member', unlink],
    ['unlinked', 'restricted', unlink],
    ['no longer granted', 'restricted', ungrant],
    ['deleted', 'member', deletion],
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
    for (const who of ['member', 'restricted', 'global'] as const) {
      const [id, attach] = [await organizationInScope(), await begin(who)];
      const rename: [string, unknown[]] = ["update organizations set name = 'Renamed' where id = $1", [id]];
      expect((await raceAgainst(world, rename, () => attach(id))).body.entityId).toBe(id);
    }
  });
});

describe('the permission to attach a file to an organization', () => {
  test.each<[string, Who, string]>([
    ['the organization', 'global', 'select 1 from organizations where id = $1 for no key update nowait'],
    ['its link', 'member', 'select 1 from organization_tenants where organization_id = $1 for update nowait'],
    ['its grant', 'restricted', 'select 1 from membership_organizations where organization_id = $1 for update nowait'],
  ])('cannot end before the attachment is stored: %s', async (_what, who, taking) => {
    const [id, attachment] = [await organizationInScope(), await withoutOrganization(who)];
    const holding: [string, unknown[]] = ['select 1 from attachments where id = $1 for update', [attachment]];
    const answer = await raceAgainst(
      world,
      holding,
      () => moving(who, attachment)(id),
      (rival) => expect(rival.query(taking, [id])).rejects.toThrow('could not obtain lock'),
    );
    expect(answer).toMatchObject({ status: 200, body: { entityId: id } });
  });
});

test('answers TENANT_NOT_ALLOWED for an upload if the tenant is deleted at the same time', async () => {
  const gone = await world.tenant();
  const mover = await world.person({ [gone.id]: 'tenant-admin' });
  const entityId = await linkedOrganization(world, gone.id);
  const request = () => upload(world, mover, { entityId });
  expect((await raceAgainst(world, ['delete from tenants where id = $1', [gone.id]], request)).code).toBe('TENANT_NOT_ALLOWED');
});
