import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ProfileClient, Progress } from '@profile-service/client';
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
async function fileStream(): Promise<Readable> {
  const path = join(folder, 'statute.pdf');
  await writeFile(path, bytes);
  return createReadStream(path);
}

describe('attachments.upload', () => {
  test('uploads a File with its name, type and fields', async () => {
    const fields = { entityId: organization, entityType: 'ORGANIZATION', description: null } as const;
    const { etag, ...record } = await client.attachments.upload(pdfNamed('são "joão".pdf'), fields);
    expect(record).toMatchObject({ originalFilename: 'são "joão".pdf', entityType: 'ORGANIZATION', entityId: organization });
    expect((await client.attachments.list.query({ entityId: organization })).data).toEqual([record]);
    expect((await client.attachments.download(record.id)).etag).toBe(etag);
  });

  test.each<[what: string, make: () => Promise<Blob | Readable>, options: { filename?: string; contentType?: string }, name: string]>([
    ['a Blob with the type of its name', async () => new Blob([bytes]), { filename: 'foto.PDF' }, 'foto.PDF'],
    ['a Blob without a name', async () => new Blob([bytes]), { contentType: 'application/pdf' }, 'file'],
    ['a file stream with the name of its path', fileStream, {}, 'statute.pdf'],
    [
      'another stream',
      async () => Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]),
      { filename: 'the "a"\r\n.pdf' },
      'the "a" .pdf',
    ],
  ])('uploads %s', async (_what, make, options, originalFilename) => {
    const { id, ...attachment } = await client.attachments.upload(await make(), options);
    expect(attachment).toMatchObject({ originalFilename, description: null, entityId: null });
    const file = await client.attachments.download(id);
    expect(file.contentType).toBe('application/pdf');
    expect(Buffer.from(await file.bytes()).equals(bytes)).toBe(true);
  });

  test('returns the version of the attachment, with which it is changed and removed', async () => {
    const { attachments } = world.client(world.global);
    const attachment = await attachments.upload(pdf());
    const changed = await attachments.update.mutate({ ...attachment, description: 'Ata' });
    await expect(attachments.remove.mutate(attachment)).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    await expect(attachments.remove.mutate(changed)).resolves.toBeUndefined();
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
    const wrongType = { name: 'ProfileError', status: 400, code: 'InvalidAttachmentTypeError' };
    await expect(client.attachments.upload(new File(['text'], 'a.txt', { type: 'text/plain' }))).rejects.toMatchObject(wrongType);
    await expect(client.attachments.upload(pdf('a.pdf', maxFileBytes + 1))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });
});

test('attachments.download returns the file with its metadata, or a range of it', async () => {
  const { id } = await client.attachments.upload(pdfNamed('🌾 ação.pdf'));
  const file = await client.attachments.download(id);
  const metadata = { filename: '🌾 ação.pdf', contentType: 'application/pdf', size: 300_000, etag: expect.stringMatching(/^"/) };
  expect(file).toMatchObject(metadata);
  expect(file).not.toHaveProperty('range');
  expect(Buffer.from(await (await file.blob()).arrayBuffer()).equals(bytes)).toBe(true);
  const part = await client.attachments.download(id, { range: { start: 10, end: 19 } });
  expect(part).toMatchObject({ filename: '🌾 ação.pdf', size: 10, range: { start: 10, end: 19, total: 300_000 } });
  expect(Buffer.from(await part.bytes()).equals(bytes.subarray(10, 20))).toBe(true);
  expect((await client.attachments.download(id, { range: { start: 299_990 } })).size).toBe(10);
});
