import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Storage } from '../src/storage.ts';
import { startS3Storage } from '../../../test/storage/s3-storage.ts';

/** The keys of the incomplete uploads, by page. */
const pages = [['a.pdf', 'b.pdf'], ['b.pdf', 'c.pdf'], ['d.pdf']];
const aborted: string[] = [];
let storage: Storage;

/** A page of ListMultipartUploads. The uploads of a key are told apart by their ids. */
function uploadsPage(number: number): string {
  const uploads = (pages[number] ?? []).map(
    (key) => `<Upload><Key>${key}</Key><UploadId>${number}</UploadId><Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>`,
  );
  const next = `<IsTruncated>true</IsTruncated><NextKeyMarker>${pages[number]?.at(-1)}</NextKeyMarker><NextUploadIdMarker>${number}</NextUploadIdMarker>`;
  return `<ListMultipartUploadsResult>${uploads.join('')}${number < pages.length - 1 ? next : ''}</ListMultipartUploadsResult>`;
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
  if (request.method === 'DELETE') {
    aborted.push(`${pathname.slice('/bucket/'.length)} ${searchParams.get('uploadId')}`);
    return void response.writeHead(204).end();
  }
  const marker = searchParams.get('upload-id-marker');
  response.setHeader('content-type', 'application/xml');
  response.end(uploadsPage(marker === null ? 0 : Number(marker) + 1));
});

beforeAll(async () => (storage = await startS3Storage(server)));
afterAll(() => {
  storage.close();
  server.close();
});

test('incomplete uploads are aborted on all pages', async () => {
  expect(await storage.abortUploads('', new Date())).toBe(5);
  expect(aborted).toEqual(['a.pdf 0', 'b.pdf 0', 'b.pdf 1', 'c.pdf 1', 'd.pdf 2']);
});
