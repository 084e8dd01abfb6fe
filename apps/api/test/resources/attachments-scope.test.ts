import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { pdf, upload } from '../support/files.ts';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import type { AttachmentPage } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

type Who = keyof typeof sight;
/** Who sees which file. The tenants A and B share the organization "both". "r" is a RESTRICTED member of A with a grant on "both". */
const sight = {
  a: ['of a', 'of both', 'loose of a', 'loose of r', 'of nothing known by a', 'of both by b'],
  b: ['of both', 'loose of b', 'of both by b'],
  r: ['of both', 'loose of r', 'of both by b'],
  empty: [],
  global: [
    'of a',
    'of both',
    'loose of a',
    'loose of r',
    'of nothing known by a',
    'loose of b',
    'of both by b',
    'loose of global',
    'of nothing linked',
  ],
  'global in a': ['of a', 'of both', 'loose of a', 'loose of r', 'of nothing known by a', 'of both by b'],
};

let world: World;
const actors = {} as Record<Who, Actor>;
const names = new Map<string, string>();
let gone: string;
const idOf = (name: string) => [...names].find(([, known]) => known === name)?.[0] ?? '';

beforeAll(async () => {
  world = await startWorld();
  const [a, b, empty] = [await world.tenant(), await world.tenant(), await world.tenant()];
  const r = await world.person({ [a.id]: 'coordinator' });
  const globalMember = await world.person({ [a.id]: 'viewer' }, { type: 'Global' });
  Object.assign(actors, {
    a: await world.person({ [a.id]: 'tenant-admin' }),
    b: await world.person({ [b.id]: 'tenant-admin' }),
    r,
    empty: await world.person({ [empty.id]: 'tenant-admin' }),
    global: world.global,
    'global in a': { token: globalMember.token, tenant: a.id },
  });
  const ofA = await linkedOrganization(world, a.id);
  const both = await linkedOrganization(world, a.id);
  await world.sql('insert into organization_tenants (tenant_id, organization_id) values ($1, $2)', [b.id, both]);
  const unlinked = await linkedOrganization(world, (await world.tenant()).id);
  gone = await linkedOrganization(world, a.id);
  await restrict(world, r.id, a.id, [both]);
  await world.call(world.global, `PUT /api/users/${r.id}`, { jobTitle: 'Restricted' });

  const named = async (name: string, who: Who, entityId = '') => {
    const { status, body } = await upload(world, actors[who], { entityId }, pdf(`${name}.pdf`));
    expect(status, name).toBe(201);
    names.set(body.id, name);
  };
  await named('of a', 'a', ofA);
  await named('of both', 'a', both);
  await named('loose of a', 'a');
  await named('loose of r', 'r');
  await named('of nothing known by a', 'a', '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f');
  await named('loose of b', 'b');
  await named('of both by b', 'b', both);
  await named('loose of global', 'global');
  await named('of nothing linked', 'global', unlinked);
  await named('of the deleted', 'a', gone);
  await world.sql('update organizations set deleted_at = now() where id = $1', [gone]);
});
afterAll(() => world.stop());

describe.each(Object.keys(sight) as Who[])('%s', (who) => {
  const expected: string[] = sight[who];

  // Rules: SCOPE-11, SCOPE-12
  test('sees only attachments in the scope in the list and its total', async () => {
    const { body } = await world.call<AttachmentPage>(actors[who], 'GET /api/attachments?limit=100');
    expect(body.data.map(({ id }) => names.get(id)).toReversed()).toEqual(expected);
    const { body: first } = await world.call<AttachmentPage>(actors[who], 'GET /api/attachments?limit=1');
    expect(first.total).toBe(expected.length);
  });

  // Rules: ATTACHMENTS-19, SCOPE-11, SCOPE-12, SCOPE-13
  test('downloads only attachments in the scope', async () => {
    const found: [string, string][] = [];
    for (const [id, name] of names) found.push([name, (await world.call(actors[who], `GET /api/attachments/${id}`)).code ?? 'found']);
    expect(found).toEqual([...names.values()].map((name) => [name, expected.includes(name) ? 'found' : 'ATTACHMENT_NOT_FOUND']));
  });
});

describe('a change', () => {
  test('succeeds only for attachments in the scope', async () => {
    const change = (who: Who, name: string) => world.call(actors[who], `PUT /api/attachments/${idOf(name)}`, { description: who });
    expect((await change('b', 'of both')).status).toBe(200);
    for (const name of ['of a', 'loose of a', 'of nothing known by a', 'of the deleted'])
      expect((await change('b', name)).status).toBe(404);
    expect((await change('r', 'loose of a')).status).toBe(404);
    expect((await change('a', 'of the deleted')).status).toBe(404);
    expect((await change('global', 'of the deleted')).status).toBe(404);
  });

  test('deletes only attachments in the scope', async () => {
    const remove = (who: Who, name: string) => world.call(actors[who], `DELETE /api/attachments/${idOf(name)}`);
    expect((await remove('b', 'of a')).code).toBe('ATTACHMENT_NOT_FOUND');
    expect((await remove('b', 'loose of a')).code).toBe('ATTACHMENT_NOT_FOUND');
    expect((await world.call(actors.a, `GET /api/attachments/${idOf('of a')}`)).status).toBe(200);
  });

  // Rules: SCOPE-14
  test('RESTRICTED members upload only to granted organizations', async () => {
    const [{ entity_id: ofA } = { entity_id: '' }] = await world.sql<{ entity_id: string }>(
      'select entity_id from attachments where id = $1',
      [idOf('of a')],
    );
    expect((await upload(world, actors.r, { entityId: ofA })).code).toBe('NOT_ALLOWED_ORGANIZATION');
    expect((await world.call(actors.r, `PUT /api/attachments/${idOf('loose of r')}`, { entityId: ofA })).code).toBe(
      'NOT_ALLOWED_ORGANIZATION',
    );
  });

  // Rules: TENANTS-8
  test('attachments of a deleted tenant stay, and those without organization are visible only to Global users', async () => {
    const doomed = await world.tenant();
    const member = await world.person({ [doomed.id]: 'tenant-admin' });
    const { body } = await upload(world, member);
    expect((await world.call(actors.a, `GET /api/attachments/${body.id}`)).status).toBe(404);
    expect((await world.call(world.global, `DELETE /api/tenants/${doomed.id}`)).status).toBe(204);
    expect((await world.call(actors.global, `GET /api/attachments/${body.id}`)).status).toBe(200);
    expect((await world.call(actors['global in a'], `GET /api/attachments/${body.id}`)).status).toBe(404);
  });
});

test('attachments.create and attachments.get do not exist over tRPC, the other endpoints do', async () => {
  const call = (name: string) =>
    fetch(`${world.service.url}/trpc/${name}`, { headers: { authorization: `Bearer ${world.global.token ?? ''}` } });
  expect((await call('attachments.create')).status).toBe(404);
  expect((await call('attachments.get')).status).toBe(404);
  expect((await call('attachments.list')).status).toBe(200);
});
