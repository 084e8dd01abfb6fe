import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../support/api.ts';
import { content, type FileType, form, lookInto, pdf, upload } from '../support/files.ts';
import { linkedOrganization, restrict } from '../support/organizations.ts';
import type { Attachment, AttachmentPage, DocumentPage } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'tenant-admin');
let organization: string;
/** An organization of another tenant. */
let foreign: string;
beforeAll(async () => {
  organization = await linkedOrganization(world, tenant.id);
  foreign = await linkedOrganization(world, (await world.tenant()).id);
});

const download = (id: string, headers: Record<string, string> = {}) => world.call(member, `GET /api/attachments/${id}`, undefined, headers);
const remove = (id: string) => world.call(member, `DELETE /api/attachments/${id}`);
/** Uploads a file on each day. Returns the ids. */
const uploadOn = async (days: string[], actor: Actor, fields: Record<string, string> = {}) => {
  const ids: string[] = [];
  for (const day of days) {
    const { id } = (await upload(world, actor, fields)).body;
    await world.sql('update attachments set created_at = $2 where id = $1', [id, day]);
    ids.push(id);
  }
  return ids;
};
/** The last moments of a day in UTC and of the day before, and the first ones of this day and of the next. */
const moments = ['2026-03-09T23:59:59.999Z', '2026-03-10T00:00:00Z', '2026-03-10T23:59:59.999Z', '2026-03-11T00:00:00Z'];

describe('POST /api/attachments', () => {
  // Rules: ATTACHMENTS-1
  test('stores the file and returns the attachment', async () => {
    const before = await lookInto(world).keys();
    const { body } = await upload(world, member, { entityId: organization, description: 'Estatuto social' });
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
    expect((await lookInto(world).keys()).filter((key) => !before.includes(key))).toEqual([body.filePath]);
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
    expect(body.filePath.endsWith(`.${extension}`)).toBe(true);
    const answer = await download(body.id);
    expect([answer.status, answer.headers.get('content-type'), answer.bytes.equals(bytes)]).toEqual([200, type, true]);
  });

  // Rules: ATTACHMENTS-3, SCOPE-14
  test('accepts fields after the file, every entityType, which is in the key of the file, and an unknown entityId', async () => {
    for (const entityType of ['DOCUMENT', 'ORGANIZATION', 'CUSTOMER', 'USER']) {
      const late = form(['description', 'Logo'], ['file', pdf()], ['entityType', entityType], ['entityId', absentId]);
      const { status, body } = await world.call<Attachment>(member, 'POST /api/attachments', late);
      expect({ status, body }).toMatchObject({ status: 201, body: { entityType, entityId: absentId, description: 'Logo' } });
      expect(body.filePath).toContain(`attachments/${entityType}/`);
      expect(await lookInto(world).keys()).toContain(body.filePath);
    }
  });

  // Rules: SCOPE-14
  test('answers NOT_ALLOWED_ORGANIZATION for an organization that is deleted or outside the scope, and stores nothing', async () => {
    const gone = await linkedOrganization(world, tenant.id);
    await world.sql('update organizations set deleted_at = now() where id = $1', [gone]);
    const before = await lookInto(world).keys();
    const restricted = await world.person({ [tenant.id]: 'coordinator' });
    await restrict(world, restricted.id, tenant.id, []);
    for (const [actor, entityId] of [
      [member, foreign],
      [member, gone],
      [world.global, gone],
      [restricted, organization],
    ] as const)
      expect((await upload(world, actor, { entityId })).code).toBe('NOT_ALLOWED_ORGANIZATION');
    expect(await lookInto(world).keys()).toEqual(before);
    expect((await upload(world, world.global, { entityId: foreign })).status).toBe(201);
  });
});

describe('GET /api/attachments', () => {
  const list = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ limit: '100', ...query });
    return (await world.call<AttachmentPage>(member, `GET /api/attachments?${search.toString()}`)).body.data;
  };

  // Rules: ATTACHMENTS-14, ATTACHMENTS-15, SCOPE-15
  test('lists metadata, newest first, and filters by entityType, entityId and userId', async () => {
    const author = await world.person({ [tenant.id]: 'technician' });
    const userId = author.id;
    const logo = (await upload(world, author, { entityType: 'ORGANIZATION', entityId: organization })).body;
    const statute = (await upload(world, author, { entityId: organization })).body;
    await upload(world, world.global, { entityId: foreign });
    expect(await list({ userId })).toEqual([statute, logo]);
    expect(await list({ userId, entityType: 'ORGANIZATION' })).toEqual([logo]);
    expect(await list({ userId, entityId: organization })).toEqual([statute, logo]);
    expect(await list({ userId, entityId: absentId })).toEqual([]);
    expect(await list({ entityId: foreign })).toEqual([]);
  });

  // Rules: ATTACHMENTS-15, LISTS-7
  test('filters by startDate and endDate and treats a date as the whole day in UTC', async () => {
    const author = await world.person({ [tenant.id]: 'technician' });
    const [early, first, last, late] = await uploadOn(moments, author);
    for (const [query, found] of [
      [{ startDate: '2026-03-10' }, [first, last, late]],
      [{ endDate: '2026-03-10' }, [early, first, last]],
      [{ startDate: '2026-03-10', endDate: '2026-03-10' }, [first, last]],
      [{ startDate: '2026-03-10T00:00:00.001Z' }, [last, late]],
      [{ endDate: '2026-03-10T00:00:00' }, [early, first]],
      [{ endDate: '2026-03-09T21:00:00-03:00' }, [early, first]],
      [{ startDate: '0001-01-01', endDate: '9999-12-31' }, [early, first, last, late]],
    ] as const)
      expect((await list({ ...query, userId: author.id })).map(({ id }) => id).toReversed()).toEqual(found);
  });
});

describe('GET /api/attachments/{id}', () => {
  const bytes = content('image/png', 10_000);
  let id: string;
  beforeAll(async () => {
    ({ id } = (await upload(world, member, {}, new File([bytes], 'foto.png', { type: 'image/png' }))).body);
  });

  // Rules: ATTACHMENTS-10
  test('returns the file with its headers', async () => {
    const { status, headers, bytes: got } = await download(id);
    expect([status, got.equals(bytes)]).toEqual([200, true]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10000',
      'content-disposition': 'attachment; filename=foto.png',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
  });

  // Rules: ATTACHMENTS-12
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=9990-', 9990, 9999],
    ['bytes=-10', 9990, 9999],
    ['bytes=5000-50000', 5000, 9999],
    ['bytes=-50000', 0, 9999],
  ])('answers 206 for Range: %s', async (range, start, end) => {
    const { status, headers, bytes: got } = await download(id, { range });
    const length = String(end - start + 1);
    const expected = [206, `bytes ${start}-${end}/10000`, length];
    expect([status, headers.get('content-range'), headers.get('content-length')]).toEqual(expected);
    expect(got.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  // Rules: ATTACHMENTS-12
  test('answers 416 for a Range outside the file, and 200 for one that is not a single range of bytes', async () => {
    for (const range of ['bytes=10000-', 'bytes=20000-30000', 'bytes=-0', `bytes=${'9'.repeat(30)}-`]) {
      const { status, code, headers } = await download(id, { range });
      expect([range, status, code, headers.get('content-range')]).toEqual([range, 416, 'RANGE_NOT_SATISFIABLE', 'bytes */10000']);
    }
    for (const range of ['bytes=0-1,5-6', 'items=0-1', 'bytes', 'bytes=-', 'bytes=5-2', 'bytes=a-b', 'nonsense']) {
      const { status, headers, bytes: got } = await download(id, { range });
      expect([range, status, headers.get('content-range'), got.length]).toEqual([range, 200, null, 10_000]);
    }
  });

  test('uses Range only if If-Range has the ETag', async () => {
    const etag = (await download(id)).headers.get('etag') ?? '';
    const statuses: number[] = [];
    for (const tag of [etag, '"other"', `W/${etag}`]) statuses.push((await download(id, { range: 'bytes=0-1', 'if-range': tag })).status);
    expect(statuses).toEqual([206, 200, 200]);
  });
});

// Rules: ATTACHMENTS-16
test('PUT /api/attachments/{id} changes only entityId and description', async () => {
  const update = (id: string, fields: object) => world.call<Attachment>(member, `PUT /api/attachments/${id}`, fields);
  const { body: created } = await upload(world, member, { description: 'Draft' });
  const changes = { entityId: organization, description: 'Final' };
  const fixed = { entityType: 'USER', filePath: 'x', originalFilename: 'x', userId: absentId };
  const { body } = await update(created.id, { ...changes, ...fixed });
  expect(body).toEqual({ ...created, ...changes, updatedAt: expect.any(String) });
  for (const other of [{ entityId: null, description: null }, { entityId: absentId }])
    expect((await update(created.id, other)).body).toMatchObject(other);
});

// Rules: ATTACHMENTS-17
test('DELETE /api/attachments/{id} deletes the file and soft-deletes the record', async () => {
  const { body } = await upload(world, member, { entityId: organization });
  expect((await remove(body.id)).status).toBe(204);
  expect(await lookInto(world).keys()).not.toContain(body.filePath);
  expect((await download(body.id)).code).toBe('ATTACHMENT_NOT_FOUND');
  expect((await world.call(member, `PUT /api/attachments/${body.id}`, {})).code).toBe('ATTACHMENT_NOT_FOUND');
  expect((await remove(body.id)).code).toBe('ATTACHMENT_NOT_FOUND');
  expect(JSON.stringify((await world.call(member, 'GET /api/attachments?limit=100')).body)).not.toContain(body.id);
  expect(await world.sql('select 1 from attachments where id = $1 and deleted_at is not null', [body.id])).toHaveLength(1);
});

// Rules: DOCUMENTS-1, DOCUMENTS-2
test("GET /service/documents lists the documents of the tenant's organizations, and filters them", async () => {
  const [own, stranger] = [await world.tenant(), await world.tenant()];
  const author = await world.person({ [own.id]: 'tenant-admin' });
  const [one, other] = [await linkedOrganization(world, own.id), await linkedOrganization(world, own.id)];
  const list = (query = '', { service } = own) => world.call<DocumentPage>(service, `GET /service/documents?${query}`);
  const listed = async (query?: string, by?: typeof own) => (await list(query, by)).body.data.map(({ id }) => id);

  const { body: statute } = await upload(world, author, { entityId: one, description: 'Estatuto' }, pdf('statute.pdf', 4321));
  for (const fields of [{ entityId: one, entityType: 'ORGANIZATION' }, {}, { entityId: absentId }]) await upload(world, author, fields);
  const { id, originalFilename, description, external, createdAt, updatedAt } = statute;
  const shown = { id, originalFilename, description, external, createdAt, updatedAt };
  expect((await list()).body).toEqual({
    data: [{ ...shown, organizationId: one, contentType: 'application/pdf', size: 4321 }],
    total: 1,
    totalPages: 1,
    currentPage: 1,
  });

  expect(await listed('', stranger)).toEqual([]);
  expect((await list(`organizationId=${one}`, stranger)).code).toBe('NOT_ALLOWED_ORGANIZATION');
  await world.call(stranger.service, `POST /service/organizations/${one}/tenants`);
  expect(await listed('', stranger)).toEqual([id]);

  const [early, first, last, late] = await uploadOn(moments, author, { entityId: other });
  expect(await listed(`organizationId=${other}`)).toEqual([late, last, first, early]);
  expect(await listed('startDate=2026-03-10&endDate=2026-03-10')).toEqual([last, first]);
  expect(await listed('endDate=2026-03-09T23:59:59.999Z')).toEqual([early]);

  await world.call(author, `DELETE /api/attachments/${late}`);
  expect(await listed(`organizationId=${other}`)).toEqual([last, first, early]);
  await world.call(world.global, `DELETE /api/organizations/${other}`);
  expect(await listed()).toEqual([id]);
});
