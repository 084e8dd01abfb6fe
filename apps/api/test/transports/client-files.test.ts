import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ProfileClient, ProfileError, Progress } from '@profile-service/client';
import { absentId } from '@profile-service/contracts/examples';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { content, pdf } from '../support/files.ts';
import { linkedOrganization } from '../support/organizations.ts';
import { maxFileBytes, useWorld } from '../support/world.ts';

const bytes = content('application/pdf', 300_000);
const world = useWorld();
let client: ProfileClient;
let organization: string;
let folder: string;
beforeAll(async () => {
  const tenant = await world.tenant();
  organization = await linkedOrganization(world, tenant.id);
  client = world.client(await world.person({ [tenant.id]: 'coordinator' }));
  folder = await mkdtemp(join(tmpdir(), 'profile-client-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const pdfNamed = (name: string) => new File([bytes], name, { type: 'application/pdf' });
const downloaded = async (id: string) => Buffer.from(await (await client.attachments.download(id)).bytes());
/** The error with which a call rejects. */
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('attachments.upload', () => {
  test('uploads a File with its name and type', async () => {
    const fields = { entityId: organization, entityType: 'ORGANIZATION', description: null } as const;
    const attachment = await client.attachments.upload(pdfNamed('são "joão".pdf'), fields);
    expect(attachment).toMatchObject({ originalFilename: 'são "joão".pdf', entityType: 'ORGANIZATION', entityId: organization });
    expect((await downloaded(attachment.id)).equals(bytes)).toBe(true);
    const { etag, ...record } = attachment;
    expect((await client.attachments.list.query({ entityId: organization })).data).toEqual([record]);
    expect((await client.attachments.download(attachment.id)).etag).toBe(etag);
  });

  test('uploads a Blob and derives its type from the name', async () => {
    const { id, filePath } = await client.attachments.upload(new Blob([content('image/png')]), { filename: 'foto.PNG' });
    expect(filePath).toMatch(/\.png$/);
    expect((await client.attachments.download(id)).contentType).toBe('image/png');
    const other = await client.attachments.upload(new Blob([bytes]), { contentType: 'application/pdf' });
    expect(other).toMatchObject({ originalFilename: 'file', description: null, entityId: null });
  });

  test('uploads a file stream with the name of its path, and another stream with any name', async () => {
    const path = join(folder, 'statute.pdf');
    await writeFile(path, bytes);
    const ofFile = await client.attachments.upload(createReadStream(path), { description: 'from a stream' });
    const pieces = Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]);
    const other = await client.attachments.upload(pieces, { filename: 'the "final"\r\none.pdf' });
    expect(ofFile).toMatchObject({ originalFilename: 'statute.pdf', description: 'from a stream' });
    expect(other.originalFilename).toBe('the "final" one.pdf');
    for (const { id } of [ofFile, other]) expect((await downloaded(id)).equals(bytes)).toBe(true);
  });

  test('returns the version of the attachment, with which it is changed and removed', async () => {
    const { attachments } = world.client(world.global);
    const attachment = await attachments.upload(pdf());
    const changed = await attachments.update.mutate({ ...attachment, description: 'Ata' });
    expect(await errorOf(attachments.remove.mutate(attachment))).toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(await errorOf(attachments.remove.mutate(changed))).toBeUndefined();
  });

  test.each([
    ['Blob', () => pdf('a.pdf', 2_000_000), true],
    ['stream', () => Readable.from([content('application/pdf', 2_000_000)]), false],
  ])('reports the progress of a %s', async (_kind, make, knowsTotal) => {
    const progress: Progress[] = [];
    await client.attachments.upload(make(), { filename: 'a.pdf' }, { onProgress: (now) => progress.push(now) });
    const loaded = progress.map((now) => now.loaded);
    expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
    expect(loaded.at(-1)).toBe(2_000_000);
    expect(loaded.length).toBeGreaterThan(2_000_000 / 65_536);
    expect(progress.map(({ total }) => total)).toEqual(progress.map(() => (knowsTotal ? 2_000_000 : undefined)));
  });

  test('throws the problem of an error response', async () => {
    const error = await errorOf(client.attachments.upload(new File(['text'], 'a.txt', { type: 'text/plain' })));
    expect(error).toMatchObject({ name: 'ProfileError', status: 400, code: 'InvalidAttachmentTypeError' });
    expect((error as ProfileError).message).toBe((error as ProfileError).problem?.detail);
    expect(await errorOf(client.attachments.upload(pdf('a.pdf', maxFileBytes + 1)))).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });
});

describe('attachments.download', () => {
  let id: string;
  beforeAll(async () => ({ id } = await client.attachments.upload(pdfNamed('🌾 ação.pdf'))));

  test('returns the file with its metadata', async () => {
    const file = await client.attachments.download(id);
    const metadata = { filename: '🌾 ação.pdf', contentType: 'application/pdf', size: 300_000, etag: expect.stringMatching(/^"/) };
    expect(file).toMatchObject(metadata);
    expect(file).not.toHaveProperty('range');
    const blob = await file.blob();
    expect(blob.type).toBe('application/pdf');
    expect(Buffer.from(await blob.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('returns a range', async () => {
    const file = await client.attachments.download(id, { range: { start: 10, end: 19 } });
    expect(file).toMatchObject({ filename: '🌾 ação.pdf', size: 10, range: { start: 10, end: 19, total: 300_000 } });
    expect(Buffer.from(await file.bytes()).equals(bytes.subarray(10, 20))).toBe(true);
    expect((await client.attachments.download(id, { range: { start: 299_990 } })).size).toBe(10);
  });

  test('throws the problem of an error response', async () => {
    const absent = await errorOf(client.attachments.download(absentId));
    expect(absent).toMatchObject({ status: 404, code: 'ATTACHMENT_NOT_FOUND' });
    const beyond = await errorOf(client.attachments.download(id, { range: { start: 1_000_000 } }));
    expect(beyond).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' });
  });
});
