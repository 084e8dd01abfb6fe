import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawForm } from '../support/files.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { startStubS3, type StubS3 } from '../support/stub-s3.ts';
import { startWorld, type World } from '../support/world.ts';

const mib = 1024 * 1024;
/** `UPLOAD_MIB=1024 vitest run --project api attachments-memory` uses a file of 1 GiB. */
const size = Number(process.env['UPLOAD_MIB'] ?? 128) * mib;
/** Half of the file. */
const mostGrowth = 64 * mib;

let world: World;
let s3: StubS3;
let services: Record<'a folder' | 'S3', ServiceProcess>;
beforeAll(async () => {
  [world, s3] = await Promise.all([startWorld(), startStubS3()]);
  const environment = { ...world.environment, ATTACHMENT_MAX_BYTES: String(size) };
  const [folder, bucket] = await Promise.all([startProcess(environment), startProcess({ ...environment, ...s3.settings })]);
  services = { 'a folder': folder, S3: bucket };
});
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.stop()));
  await Promise.all([world.stop(), s3.stop()]);
});

const boundary = 'memory';
const head = 'content-disposition: form-data; name="file"; filename="large.pdf"\r\ncontent-type: application/pdf';

/** The bytes of a form with a file of this size. */
async function* largeForm(bytes: number): AsyncGenerator<Buffer> {
  const [before, after] = rawForm(boundary, [head, '%PDF-\0']).toString().split('\0') as [string, string];
  yield Buffer.from(before);
  const piece = Buffer.alloc(mib, 'x');
  for (let left = bytes - '%PDF-'.length; left > 0; left -= piece.length) yield piece.subarray(0, left);
  yield Buffer.from(after);
}

describe.each(['a folder', 'S3'] as const)('with %s', (backend) => {
  let service: ServiceProcess;
  let headers: { authorization: string };
  beforeAll(async () => {
    service = services[backend];
    headers = { authorization: `Bearer ${world.global.token}` };
    // The first transfer loads and compiles code, which takes memory.
    await downloadedBytes(await upload(mib));
  });

  /** The largest resident memory since the last `resetPeak`, in bytes. */
  const peak = async () => {
    const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  };
  const resetPeak = () => writeFile(`/proc/${service.pid}/clear_refs`, '5');
  /** The growth of the memory above that of the idle service. */
  const growth = async (idle: number, work: () => Promise<unknown>) => {
    await resetPeak();
    await work();
    return (await peak()) - idle;
  };

  async function upload(bytes: number): Promise<string> {
    const sending = request(`${service.url}/api/attachments`, {
      method: 'POST',
      headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    await pipeline(Readable.from(largeForm(bytes)), sending);
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
  test(`the service does not hold a file of ${size / mib} MiB in memory`, { timeout: 600_000 }, async () => {
    await resetPeak();
    const idle = await peak();
    let id = '';
    const uploading = await growth(idle, async () => (id = await upload(size)));
    const downloading = await growth(idle, async () => expect(await downloadedBytes(id)).toBe(size));
    console.log(`${backend}: upload ${toMib(uploading)} MiB, download ${toMib(downloading)} MiB above ${toMib(idle)} MiB`);
    expect(uploading).toBeLessThan(mostGrowth);
    expect(downloading).toBeLessThan(mostGrowth);
  });

  // Ten smaller files would fit into the limit, so this test could not fail.
  if (size < 1024 * mib) return;
  test('the service does not hold the files of ten uploads in memory', { timeout: 600_000 }, async () => {
    await resetPeak();
    const idle = await peak();
    const tenUploading = await growth(idle, () => Promise.all(Array.from({ length: 10 }, () => upload(Math.floor(size / 10)))));
    console.log(`${backend}: ten uploads ${toMib(tenUploading)} MiB above ${toMib(idle)} MiB`);
    expect(tenUploading).toBeLessThan(256 * mib);
  });
});

const toMib = (bytes: number) => Math.round(bytes / mib);
