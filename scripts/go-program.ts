import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from './ci/command.ts';

/** A program that is fetched as a Go module. */
export interface GoProgram {
  name: string;
  /** Path of its main package, without the version. */
  path: string;
  version: string;
  /** Folder of built programs; default `~/.cache/profile-service`. */
  cache?: string | undefined;
  /** Added to the message where Go is missing: how to do without this program. */
  hint?: string;
}

/** Fetches the program as a Go module and builds it, once per version. @returns its path  @throws where the machine has no Go */
export async function installGoProgram({ name, path, version, cache, hint }: GoProgram): Promise<string> {
  const folder = join(cache ?? join(homedir(), '.cache', 'profile-service'), `${name}-${version}`);
  const program = join(folder, name);
  if (existsSync(program)) return program;
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    const missing = `Go is missing: there is no \`go\` on the PATH, which builds ${name} (1.21 or later; https://go.dev/doc/install).`;
    throw new Error(hint ? `${missing} ${hint}` : missing);
  }
  // Without debug information and optimization it is built in two thirds of the time. An older Go fetches the one that the module asks for.
  const flags = ['-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];
  await run('go', ['install', ...flags, `${path}@${version}`], {
    env: { GOBIN: folder, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto', GOFLAGS: '-modcacherw -buildvcs=false' },
  });
  // Go names the program after the folder of its package.
  if (basename(path) !== name) await rename(join(folder, basename(path)), program);
  return program;
}
