import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawForm } from '../support/files.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { startWorld, type World } from '../support/world.ts';

const mib = 1024 * 1024;
/** The whole proof is a file of 1 GiB: `UPLOAD_MIB=1024 vitest run --project api attachments-memory`. A smaller one would show a leak as well. */
const size = Number(process.env['UPLOAD_MIB'] ?? 128) * mib;
const mayGrow = 64 * mib;

let world: World;
let service: ServiceProcess;
beforeAll(async () => {
  world = await startWorld();
  service = await startProcess({ ...world.environment, ATTACHMENT_MAX_BYTES: String(size) });
});
afterAll(async () => {
  await service.stop();
  await world.stop();
});

/** The largest resident memory since the last `forget`, in bytes. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
const forget = () => writeFile(`/proc/${service.pid}/clear_refs`, '5');

const headers = { authorization: '' };
const boundary = 'memory';
const head = 'content-disposition: form-data; name="file"; filename="large.pdf"\r\ncontent-type: application/pdf';

/** The form as it travels, made on the way. */
async function* largeForm(): AsyncGenerator<Buffer> {
  const [before, after] = rawForm(boundary, [head, '%PDF-\0']).toString().split('\0') as [string, string];
  yield Buffer.from(before);
  const piece = Buffer.alloc(mib, 'x');
  for (let left = size - '%PDF-'.length; left > 0; left -= piece.length) yield piece.subarray(0, left);
  yield Buffer.from(after);
}

async function uploadLarge(): Promise<string> {
  const upload = request(`${service.url}/api/attachments`, {
    method: 'POST',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
  await pipeline(Readable.from(largeForm()), upload);
  const [response] = await answered;
  const body = JSON.parse((await response.toArray()).join('')) as { id: string };
  expect(response.statusCode, JSON.stringify(body)).toBe(201);
  return body.id;
}

async function downloadedBytes(id: string): Promise<number> {
  const response = await fetch(`${service.url}/api/attachments/${id}`, { headers });
  let bytes = 0;
  for await (const piece of response.body ?? []) bytes += (piece as Uint8Array).length;
  return bytes;
}

// Rules: ATTACHMENTS-1
test(`memory stays flat while a file of ${size / mib} MiB comes in and goes out`, { timeout: 600_000 }, async () => {
  headers.authorization = `Bearer ${world.global.token}`;
  await forget();
  const idle = await peak();
  const id = await uploadLarge();
  const uploading = (await peak()) - idle;
  await forget();
  expect(await downloadedBytes(id)).toBe(size);
  const downloading = (await peak()) - idle;
  console.log(`idle ${toMib(idle)} MiB; at most ${toMib(uploading)} MiB more while uploading, ${toMib(downloading)} MiB while downloading`);
  expect(uploading).toBeLessThan(mayGrow);
  expect(downloading).toBeLessThan(mayGrow);
});

const toMib = (bytes: number) => Math.round(bytes / mib);
