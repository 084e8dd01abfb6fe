import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Actor, outcome } from '../support/api.ts';
import { pdf, upload } from '../support/files.ts';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import type { AttachmentPage } from '../support/records.ts';
import { useWorld } from '../support/world.ts';

/** The RESTRICTED member has a grant on the organization that A and B share. C has no organizations. */
const callers = [
  'a member of A',
  'a RESTRICTED member of A',
  'a member of B',
  'a member of C',
  'a Global user',
  'a Global user in A',
] as const;
type Caller = (typeof callers)[number];
const [ofA, restricted, ofB, ofC, global, globalInA] = callers;

interface File {
  name: string;
  by: Caller;
  /** The organization of the file; undefined for none. */
  of?: keyof typeof organizations;
  visibleTo: Caller[];
}
const organizations = { A: '', 'A and B': '', D: '', unknown: absentId, deleted: '' };
/** In the order of their upload. */
const files: File[] = [
  { name: 'of A', by: ofA, of: 'A', visibleTo: [ofA, global, globalInA] },
  { name: 'of A and B', by: ofA, of: 'A and B', visibleTo: [ofA, restricted, ofB, global, globalInA] },
  { name: 'without organization, from A', by: ofA, visibleTo: [ofA, global, globalInA] },
  { name: 'without organization, from the RESTRICTED member', by: restricted, visibleTo: [ofA, restricted, global, globalInA] },
  { name: 'of an unknown id', by: ofA, of: 'unknown', visibleTo: [ofA, global, globalInA] },
  { name: 'without organization, from B', by: ofB, visibleTo: [ofB, global] },
  { name: 'of A and B, from B', by: ofB, of: 'A and B', visibleTo: [ofA, restricted, ofB, global, globalInA] },
  { name: 'without organization, from a Global user', by: global, visibleTo: [global] },
  { name: 'of D', by: global, of: 'D', visibleTo: [global] },
  { name: 'of a deleted organization', by: ofA, of: 'deleted', visibleTo: [] },
];
const ids = new Map<string, string>();
const pathOf = ({ name }: File) => `/api/attachments/${ids.get(name)}`;
const named = (wanted: string) => files.find(({ name }) => name === wanted)!;

const world = useWorld();
let actors: Record<Caller, Actor>;
beforeAll(async () => {
  const [a, b, c, d] = [await world.tenant(), await world.tenant(), await world.tenant(), await world.tenant()];
  const member = await world.person({ [a.id]: 'coordinator' }, { roles: ['attachments:delete'] });
  actors = {
    [ofA]: await world.person({ [a.id]: 'tenant-admin' }),
    [restricted]: member,
    [ofB]: await world.person({ [b.id]: 'tenant-admin' }),
    [ofC]: await world.person({ [c.id]: 'tenant-admin' }),
    [global]: world.global,
    [globalInA]: { ...(await world.person({ [a.id]: 'viewer' }, { type: 'Global' })), tenant: a.id },
  };
  for (const [name, { id }] of [
    ['A', a],
    ['A and B', a],
    ['D', d],
    ['deleted', a],
  ] as const)
    organizations[name] = await linkedOrganization(world, id);
  await world.sql('insert into organization_tenants (tenant_id, organization_id) values ($1, $2)', [b.id, organizations['A and B']]);
  await restrict(world, member.id, a.id, [organizations['A and B']]);
  for (const { name, by, of } of files) {
    const { body } = await upload(world, actors[by], { entityId: of ? organizations[of] : '' }, pdf(`${name}.pdf`));
    ids.set(name, body.id);
  }
  await world.sql('update organizations set deleted_at = now() where id = $1', [organizations.deleted]);
});

describe.each(callers)('%s', (caller) => {
  const visible = files.filter(({ visibleTo }) => visibleTo.includes(caller));

  // Rules: SCOPE-11, SCOPE-12
  test('sees only attachments in the scope in the list and its total', async () => {
    const { body } = await world.call<AttachmentPage>(actors[caller], 'GET /api/attachments?limit=100');
    expect(body.data.map(({ id }) => id).toReversed()).toEqual(visible.map(({ name }) => ids.get(name)));
    expect(body.total).toBe(visible.length);
  });

  // Rules: ATTACHMENTS-19, SCOPE-11, SCOPE-12, SCOPE-13
  test('downloads attachments in the scope, and gets ATTACHMENT_NOT_FOUND for others, also for a change or deletion', async () => {
    for (const file of files) {
      const target = pathOf(file);
      const answers = [await world.call(actors[caller], `GET ${target}`)];
      if (!visible.includes(file)) {
        answers.push(await world.call(actors[caller], `PUT ${target}`, { description: 'x' }));
        answers.push(await world.call(actors[caller], `DELETE ${target}`));
      }
      const expected = visible.includes(file) ? 200 : 'ATTACHMENT_NOT_FOUND';
      expect([file.name, ...answers.map(outcome)]).toEqual([file.name, ...answers.map(() => expected)]);
    }
  });
});

// Rules: SCOPE-14
test('a RESTRICTED member uploads only to granted organizations', async () => {
  const entityId = organizations.A;
  expect((await upload(world, actors[restricted], { entityId })).code).toBe('NOT_ALLOWED_ORGANIZATION');
  const own = pathOf(named('without organization, from the RESTRICTED member'));
  expect((await world.call(actors[restricted], `PUT ${own}`, { entityId })).code).toBe('NOT_ALLOWED_ORGANIZATION');
});

// Rules: TENANTS-8
test('attachments of a deleted tenant stay, and those without organization are visible only to Global users', async () => {
  const tenant = await world.tenant();
  const { body } = await upload(world, await world.person({ [tenant.id]: 'tenant-admin' }));
  const statusFor = async (caller: Caller) => (await world.call(actors[caller], `GET /api/attachments/${body.id}`)).status;
  expect((await world.call(world.global, `DELETE /api/tenants/${tenant.id}`)).status).toBe(204);
  expect([await statusFor(ofA), await statusFor(global), await statusFor(globalInA)]).toEqual([404, 200, 404]);
});
