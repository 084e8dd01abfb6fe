import { Crc32, Crc32c, Crc64Nvme } from '@aws-sdk/checksums/crc';
import { Sha1, Sha256 } from '@aws-sdk/checksums/sha';
import { Md5 } from '@smithy/core/checksum';
import { StorageError } from './errors.ts';

const algorithms = {
  'x-amz-checksum-crc32': Crc32,
  'x-amz-checksum-crc32c': Crc32c,
  'x-amz-checksum-crc64nvme': Crc64Nvme,
  'x-amz-checksum-sha1': Sha1,
  'x-amz-checksum-sha256': Sha256,
  'content-md5': Md5,
};

const names = Object.keys(algorithms) as (keyof typeof algorithms)[];

/** Finds the value (base64) that is stated under a header's or trailer's name. */
export type Stated = (name: string) => string | undefined;

/** The stated checksums that are kept with the object and shown again, as headers; content-md5 is not one of them. */
export const keptChecksums = (stated: Stated): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = stated(name);
      return value === undefined || name === 'content-md5' ? [] : [[name, value]];
    }),
  );

/**
 * Passes `content` on and compares it, at its end, with the checksums that are stated for it.
 * @param announced names of the headers, and of the trailers to come, that state a checksum
 * @param stated knows all of them once the content has ended
 * @throws StorageError BadDigest where one differs or did not come
 */
export async function* verifyChecksums(content: AsyncIterable<Buffer>, announced: Set<string>, stated: Stated): AsyncGenerator<Buffer> {
  const sums = names.filter((name) => announced.has(name)).map((name) => ({ name, sum: new algorithms[name]() }));
  for await (const piece of content) {
    for (const { sum } of sums) sum.update(piece);
    yield piece;
  }
  for (const { name, sum } of sums) {
    const found = Buffer.from(await sum.digest()).toString('base64');
    if (found !== stated(name)) throw new StorageError('BadDigest', `The content's ${name} is ${found}, not ${stated(name) ?? 'absent'}.`);
  }
}
