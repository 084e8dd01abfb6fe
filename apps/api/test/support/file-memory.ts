import { createHash, type Hash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createProfileClient, type ProfileClient } from '@profile-service/client';
import { beforeAll, expect, test } from 'vitest';
import type { ServiceProcess } from './process.ts';

const mib = 1024 * 1024;
/** Limits for one upload or download, and for ten uploads at once. */
const [mostGrowth, mostGrowthOfTen] = [64 * mib, 256 * mib];
const timeout = 600_000;

/** The bytes of a file of this size, which are added to the hash. No two pieces are equal, so that a hash shows swapped ones. */
function* largeFile(bytes: number, hash: Hash): Generator<Buffer> {
  const random = randomBytes(mib);
  for (let left = bytes; left > 0; left -= mib) {
    const piece = Buffer.from(random.subarray(0, left));
    piece.writeUIntBE(left, piece.length - 6, 6);
    if (left === bytes) piece.write('%PDF-');
    hash.update(piece);
    yield piece;
  }
}

const toMib = (bytes: number) => Math.round(bytes / mib);

/**
 * Tests that the service does not hold files in memory.
 * @param storage its name in the log
 * @param size of the file in bytes, more than twice the limit of 64 MiB, a multiple of 1 MiB
 * @param started the service and the token of a caller, once they exist
 */
export function testFileMemory(storage: string, size: number, started: () => { service: ServiceProcess; token: string }): void {
  let service: ServiceProcess;
  let attachments: ProfileClient['attachments'];
  beforeAll(async () => {
    const { token } = started();
    ({ service } = started());
    ({ attachments } = createProfileClient({ url: service.url, token, maxAttempts: 1 }));
    // The first transfer loads and compiles code, which takes memory.
    await downloadedHash((await upload(mib)).id);
  });

  /** The largest resident memory since the last reset, in bytes. */
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

  /** Uploads a file. Returns the id of the attachment, and the hash of the file. */
  async function upload(bytes: number): Promise<{ id: string; hash: string }> {
    const hash = createHash('sha256');
    const { id } = await attachments.upload(Readable.from(largeFile(bytes, hash)), { filename: 'large.pdf' });
    return { id, hash: hash.digest('hex') };
  }

  async function downloadedHash(id: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of (await attachments.download(id)).body) hash.update(piece);
    return hash.digest('hex');
  }

  // Rules: ATTACHMENTS-1
  test(`the service keeps the bytes of a file of ${size / mib} MiB, and does not hold it in memory`, { timeout }, async () => {
    await resetPeak();
    const idle = await peak();
    let file = { id: '', hash: '' };
    const uploading = await growth(idle, async () => (file = await upload(size)));
    const downloading = await growth(idle, async () => expect(await downloadedHash(file.id)).toBe(file.hash));
    console.log(`${storage}: upload ${toMib(uploading)} MiB, download ${toMib(downloading)} MiB above ${toMib(idle)} MiB`);
    expect(uploading).toBeLessThan(mostGrowth);
    expect(downloading).toBeLessThan(mostGrowth);
  });

  // Ten smaller files would fit into the limit, so this test could not fail.
  if (size < 1024 * mib) return;
  test('the service does not hold the files of ten uploads in memory', { timeout }, async () => {
    await resetPeak();
    const idle = await peak();
    const uploading = await growth(idle, () => Promise.all(Array.from({ length: 10 }, () => upload(mib * Math.floor(size / mib / 10)))));
    console.log(`${storage}: ten uploads ${toMib(uploading)} MiB above ${toMib(idle)} MiB`);
    expect(uploading).toBeLessThan(mostGrowthOfTen);
  });
}
