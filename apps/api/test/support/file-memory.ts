import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { beforeAll, expect, test } from 'vitest';
import { rawForm } from './files.ts';
import type { ServiceProcess } from './process.ts';

const mib = 1024 * 1024;
/** Limits for one upload or download, and for ten uploads at once. */
const [mostGrowth, mostGrowthOfTen] = [64 * mib, 256 * mib];
const timeout = 600_000;

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

/**
 * Tests that the service does not hold files in memory.
 * @param storage its name in the log
 * @param size of the file in bytes, more than twice the limit of 64 MiB
 * @param started the service and the token of a caller, once they exist
 */
export function testFileMemory(storage: string, size: number, started: () => { service: ServiceProcess; token: string }): void {
  let service: ServiceProcess;
  let headers: { authorization: string };
  beforeAll(async () => {
    const { token } = started();
    ({ service } = started());
    headers = { authorization: `Bearer ${token}` };
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
  test(`the service does not hold a file of ${size / mib} MiB in memory`, { timeout }, async () => {
    await resetPeak();
    const idle = await peak();
    let id = '';
    const uploading = await growth(idle, async () => (id = await upload(size)));
    const downloading = await growth(idle, async () => expect(await downloadedBytes(id)).toBe(size));
    console.log(`${storage}: upload ${toMib(uploading)} MiB, download ${toMib(downloading)} MiB above ${toMib(idle)} MiB`);
    expect(uploading).toBeLessThan(mostGrowth);
    expect(downloading).toBeLessThan(mostGrowth);
  });

  // Ten smaller files would fit into the limit, so this test could not fail.
  if (size < 1024 * mib) return;
  test('the service does not hold the files of ten uploads in memory', { timeout }, async () => {
    await resetPeak();
    const idle = await peak();
    const tenUploading = await growth(idle, () => Promise.all(Array.from({ length: 10 }, () => upload(Math.floor(size / 10)))));
    console.log(`${storage}: ten uploads ${toMib(tenUploading)} MiB above ${toMib(idle)} MiB`);
    expect(tenUploading).toBeLessThan(mostGrowthOfTen);
  });
}

const toMib = (bytes: number) => Math.round(bytes / mib);
