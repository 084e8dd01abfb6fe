import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';

/** The files of a backup, in its folder. The manifest is written last, so that a folder without one is not a complete backup. */
export const parts = { database: 'database.dump', fileList: 'files.jsonl', files: 'files', manifest: 'manifest.json' } as const;

const Part = z.object({ bytes: z.int().nonnegative(), sha256: z.hex().length(64) });

const Manifest = z.object({
  /** Version of the format of the folder. */
  format: z.literal(1),
  /** The consistent point: everything that was committed before it is in the backup, and nothing else. */
  takenAt: z.iso.datetime(),
  /** `server_version_num`, such as 150014 for PostgreSQL 15.14. */
  serverVersion: z.int(),
  migrations: z.array(z.string()),
  storageBasePath: z.string(),
  database: Part,
  fileList: Part,
  files: z.object({ count: z.int().nonnegative(), bytes: z.int().nonnegative(), missing: z.int().nonnegative() }),
});

export type Part = z.output<typeof Part>;
export type Manifest = z.output<typeof Manifest>;

/** Returns the size and the hash of a file. */
export async function describePart(path: string): Promise<Part> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}

/** Writes the manifest atomically, and syncs it to disk. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, parts.manifest);
  const file = await open(`${path}.tmp`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
}

/**
 * Reads the manifest, and compares the dump and the list of files with it.
 * @throws BackupError if the folder is not a complete backup
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, parts.manifest);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new BackupError(`${folder} is not a complete backup: ${(cause as Error).message}`, { cause });
  });
  const found = Manifest.safeParse(parse(text));
  if (!found.success) throw new BackupError(`${path} is damaged, or of another version:\n${z.prettifyError(found.error)}`);
  for (const name of ['database', 'fileList'] as const) {
    const part = await describePart(join(folder, parts[name])).catch((cause: unknown) => {
      throw new BackupError(`${folder} is not a complete backup: ${(cause as Error).message}`, { cause });
    });
    const expected = found.data[name];
    if (part.bytes !== expected.bytes || part.sha256 !== expected.sha256)
      throw new BackupError(`${join(folder, parts[name])} is damaged: its size or its hash differs from that in ${parts.manifest}`);
  }
  return found.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
