import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { content, type FileType, form, lookInto, pdf, upload } from '../support/files.ts';
import { linkedOrganization } from '../support/organizations.ts';
import type { Attachment } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'tenant-admin');
let organization: string;
beforeAll(async () => {
  organization = await linkedOrganization(world, tenant.id);
});

const download = (id: string) => world.call(member, `GET /api/attachments/${id}`);

describe('POST /api/attachments', () => {
  // Rules: ATTACHMENTS-1
  test('stores the file and returns the attachment', async () => {
    const { status, body } = await upload(world, member, { entityId: organization, description: 'Estatuto social' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      entityType: 'DOCUMENT',
      filePath: expect.stringMatching(/^attachments\/DOCUMENT\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.pdf$/),
      originalFilename: 'estatuto.pdf',
      description: 'Estatuto social',
      external: false,
      entityId: organization,
      userId: member.id,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: body.createdAt,
    });
    expect(await lookInto(world).keys()).toContain(body.filePath);
  });

  // Rules: ATTACHMENTS-2
  test.each([
    ['image/jpg', 'jpg'],
    ['image/jpeg', 'jpg'],
    ['image/png', 'png'],
    ['image/webp', 'webp'],
    ['application/pdf', 'pdf'],
  ] as [FileType, string][])('stores %s with the extension .%s and returns the same bytes with their type', async (type, extension) => {
    const bytes = content(type, 100_000);
    const { body } = await upload(world, member, {}, new File([bytes], 'a', { type }));
    expect(body.filePath).toMatch(new RegExp(`\\.${extension}$`));
    const answer = await download(body.id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.bytes.equals(bytes)).toBe(true);
  });

  test('accepts fields after the file and stores the file under the key of its entityType', async () => {
    const file = pdf();
    const late = form(['description', 'Logo'], ['file', file], ['entityType', 'ORGANIZATION'], ['entityId', organization]);
    const before = await lookInto(world).keys();
    const { status, body } = await world.call<Attachment>(member, 'POST /api/attachments', late);
    expect(status).toBe(201);
    expect(body).toMatchObject({ entityType: 'ORGANIZATION', entityId: organization, description: 'Logo' });
    expect(body.filePath).toMatch(/^attachments\/ORGANIZATION\/.*\.pdf$/);
    expect((await lookInto(world).keys()).filter((key) => !before.includes(key))).toEqual([body.filePath]);
    const { headers, bytes } = await download(body.id);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(bytes.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
  });

  // Rules: ATTACHMENTS-3, SCOPE-14
  test.each(['DOCUMENT', 'ORGANIZATION', 'CUSTOMER', 'USER'])('accepts entityType %s and an unknown entityId', async (entityType) => {
    const { status, body } = await upload(world, member, { entityType, entityId: absentId });
    expect(status).toBe(201);
    expect(body).toMatchObject({ entityType, entityId: absentId, filePath: expect.stringContaining(`/${entityType}/`) });
  });

  // Rules: SCOPE-14
  test('answers NOT_ALLOWED_ORGANIZATION for an organization that is deleted or outside the scope, and stores nothing', async () => {
    const [foreign, gone] = [await linkedOrganization(world, (await world.tenant()).id), await linkedOrganization(world, tenant.id)];
    await world.sql('update organizations set deleted_at = now() where id = $1', [gone]);
    const before = await lookInto(world).keys();
    for (const [actor, entityId] of [
      [member, foreign],
      [member, gone],
      [world.global, gone],
    ] as const)
      expect((await upload(world, actor, { entityId })).code).toBe('NOT_ALLOWED_ORGANIZATION');
    expect(await lookInto(world).keys()).toEqual(before);
    expect((await upload(world, world.global, { entityId: foreign })).status).toBe(201);
  });
});

describe('GET /api/attachments', () => {
  // Rules: ATTACHMENTS-14, ATTACHMENTS-15
  test('lists metadata, newest first, and filters by entityType, entityId and userId', async () => {
    const other = await world.person({ [tenant.id]: 'technician' });
    const logo = (await upload(world, other, { entityType: 'ORGANIZATION', entityId: organization })).body;
    const statute = (await upload(world, other, { entityId: organization })).body;
    const list = async (query: string) =>
      (await world.call<{ data: Attachment[] }>(member, `GET /api/attachments?limit=100&${query}`)).body.data;
    expect(await list(`userId=${other.id}`)).toEqual([statute, logo]);
    expect(await list(`userId=${other.id}&entityType=ORGANIZATION`)).toEqual([logo]);
    expect(await list(`userId=${other.id}&entityId=${organization}`)).toEqual([statute, logo]);
    expect(await list(`userId=${other.id}&entityId=${absentId}`)).toEqual([]);
  });

  // Rules: SCOPE-15
  test('returns an empty list for an entityId outside the scope', async () => {
    const foreign = await linkedOrganization(world, (await world.tenant()).id);
    await upload(world, world.global, { entityId: foreign });
    expect((await world.call(member, `GET /api/attachments?entityId=${foreign}`)).body).toMatchObject({ data: [], total: 0 });
  });

  // Rules: ATTACHMENTS-15, LISTS-7
  test('filters by startDate and endDate and treats a date as the whole day in UTC', async () => {
    const created = {
      early: '2026-03-09T23:59:59.999Z',
      first: '2026-03-10T00:00:00Z',
      last: '2026-03-10T23:59:59.999Z',
      late: '2026-03-11T00:00:00Z',
    };
    const author = await world.person({ [tenant.id]: 'technician' });
    const names = new Map<string, string>();
    for (const [name, moment] of Object.entries(created)) {
      const { id } = (await upload(world, author)).body;
      await world.sql('update attachments set created_at = $2 where id = $1', [id, moment]);
      names.set(id, name);
    }
    const between = async (query: Record<string, string>) => {
      const search = new URLSearchParams({ ...query, userId: author.id });
      const { body } = await world.call<{ data: Attachment[] }>(member, `GET /api/attachments?${search.toString()}`);
      return body.data.map(({ id }) => names.get(id)).toReversed();
    };
    expect(await between({ startDate: '2026-03-10' })).toEqual(['first', 'last', 'late']);
    expect(await between({ endDate: '2026-03-10' })).toEqual(['early', 'first', 'last']);
    expect(await between({ startDate: '2026-03-10', endDate: '2026-03-10' })).toEqual(['first', 'last']);
    expect(await between({ startDate: '2026-03-10T00:00:00.001Z' })).toEqual(['last', 'late']);
    expect(await between({ endDate: '2026-03-10T00:00:00Z' })).toEqual(['early', 'first']);
    expect(await between({ endDate: '2026-03-10T00:00:00' })).toEqual(['early', 'first']);
    expect(await between({ endDate: '2026-03-09T21:00:00-03:00' })).toEqual(['early', 'first']);
    expect(await between({ startDate: '0001-01-01', endDate: '9999-12-31' })).toEqual(Object.keys(created));
  });
});

describe('PUT /api/attachments/{id}', () => {
  const update = (id: string, fields: object) => world.call<Attachment>(member, `PUT /api/attachments/${id}`, fields);

  // Rules: ATTACHMENTS-16
  test('changes only entityId and description', async () => {
    const { body: created } = await upload(world, member, { description: 'Draft' });
    const changes = { entityId: organization, description: 'Final' };
    const fixed = { entityType: 'USER', filePath: 'x', originalFilename: 'x', userId: absentId };
    const { status, body } = await update(created.id, { ...changes, ...fixed });
    expect({ status, body }).toEqual({ status: 200, body: { ...created, ...changes, updatedAt: expect.any(String) } });
    expect((await update(created.id, { entityId: null, description: null })).body).toMatchObject({ entityId: null, description: null });
    expect((await update(created.id, { entityId: absentId })).body).toMatchObject({ entityId: absentId });
  });
});

describe('DELETE /api/attachments/{id}', () => {
  const remove = (id: string) => world.call(member, `DELETE /api/attachments/${id}`);

  // Rules: ATTACHMENTS-17
  test('deletes the file and soft-deletes the record', async () => {
    const { body } = await upload(world, member, { entityId: organization });
    expect((await remove(body.id)).status).toBe(204);
    expect(await lookInto(world).keys()).not.toContain(body.filePath);
    expect((await download(body.id)).code).toBe('ATTACHMENT_NOT_FOUND');
    expect((await world.call(member, `PUT /api/attachments/${body.id}`, {})).code).toBe('ATTACHMENT_NOT_FOUND');
    expect(JSON.stringify((await world.call(member, 'GET /api/attachments?limit=100')).body)).not.toContain(body.id);
    expect(await world.sql('select 1 from attachments where id = $1 and deleted_at is not null', [body.id])).toHaveLength(1);
    expect((await remove(body.id)).code).toBe('ATTACHMENT_NOT_FOUND');
  });
});
