import { createS3Storage } from '@profile-service/storage/s3';
import { readS3Settings } from '../../../test/storage/stored-objects.ts';
import { startGateway } from '../../../scripts/storage/gateway.ts';
import { describeDurations, repeat, timed } from '../../../test/durations.ts';

const mib = 1024 * 1024;
/** ATTACHMENT_MAX_BYTES. */
const fileBytes = 25 * mib;

async function* file(): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < fileBytes; sent += mib) yield Buffer.alloc(mib, sent);
}

/** Measures the operations on files of 25 MiB in an S3 gateway, one at a time and as many at once as a tenant may upload. */
export async function measureStorage(): Promise<void> {
  const gateway = await startGateway();
  const storage = createS3Storage(readS3Settings(gateway.settings));
  try {
    await storage.check();
    for (const parallel of [1, 20]) {
      const times = { put: [] as number[], open: [] as number[], has: [] as number[], copy: [] as number[], remove: [] as number[] };
      await repeat(60, parallel, async (n) => {
        const key = `attachments/${n}.pdf`;
        await timed(times.put, () => storage.put(key, file(), 'application/pdf'));
        const { content } = await timed(times.open, () => storage.open(key));
        content.destroy();
        await timed(times.has, () => storage.has(key));
        await timed(times.copy, () => storage.copy(key, `${key}.copy`, { size: fileBytes }));
        await timed(times.remove, () => storage.remove(key));
        await storage.remove(`${key}.copy`);
      });
      console.log(`25 MiB, ${parallel} at once (put: all 7 requests of an upload; open: until the headers)`);
      for (const [name, values] of Object.entries(times)) console.log(describeDurations({ name, times: values }));
    }
  } finally {
    storage.close();
    await gateway.stop();
  }
}
