import { z } from 'zod';
import { type FileRow, openRecordFile, type ReadOptions } from '../../src/index.ts';

const Address = z.object({
  zipCode: z.string().length(8),
  cityCode: z.int32(),
  latitude: z.number().nullish(),
  country: z
    .string()
    .nullish()
    .transform((name) => name ?? 'Brasil'),
});

/** Has a field of each kind that the bodies of the API have. */
export const body = z.object({
  name: z.string().min(1),
  alias: z.string().nullable().optional(),
  type: z.enum(['A', 'B']).optional(),
  active: z.boolean().default(true),
  metadata: z.record(z.string(), z.unknown()).nullable().optional(),
  tags: z.array(z.string()).optional(),
  sizes: z.array(z.number()).optional(),
  address: Address.describe('Not required').nullish(),
  contacts: z
    .array(z.object({ kind: z.string(), value: z.string().nullable(), isPrimary: z.boolean().default(false) }))
    .max(100)
    .optional(),
});

export const options: ReadOptions = { format: 'csv', body, codes: ['address.zipCode', 'contacts.value'], ignored: ['id', 'createdAt'] };

/** Yields the bytes in chunks that end at these offsets. */
export async function* chunksOf(bytes: Uint8Array, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

const bytesOf = (file: string | Uint8Array): Uint8Array => (typeof file === 'string' ? Buffer.from(file) : file);

/** Reads all rows of a file. */
export async function readAll(
  file: string | Uint8Array,
  more: Partial<ReadOptions> = {},
  cuts: readonly number[] = [],
): Promise<FileRow[]> {
  const { rows } = await openRecordFile(chunksOf(bytesOf(file), cuts), { ...options, ...more });
  return (await Array.fromAsync(rows)).flat();
}
