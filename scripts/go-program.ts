import { spawnSync } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { run } from './ci/command.ts';

/** A program that is fetched as a Go module. */
export interface GoProgram {
  name: string;
  /** Path of its main package, without the version. */
  path: string;
  version: string;
  /** Folder of built programs; default `~/.cache/profile-service`. */
  cache?: string | undefined;
}

/** Whether the machine has a Go that builds the programs. One before 1.21 cannot fetch the version that a module asks for. */
export function hasGo(): boolean {
  const { stdout } = spawnSync('go', ['version'], { encoding: 'utf8' });
  const [, major, minor] = /\bgo(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 21);
}

/** Fetches the program as a Go module and builds it, once per version. @returns its path  @throws where the machine has no Go, or one before 1.21 */
export async function installGoProgram({ name, path, version, cache }: GoProgram): Promise<string> {
  const build = async (folder: string) => {
    if (!hasGo())
      throw new Error(`Go is missing: there is no \`go\` 1.21 or later on the PATH, which builds ${name} (https://go.dev/doc/install).`);
    // Without debug information and optimization it is built in two thirds of the time. An older Go fetches the one that the module asks for.
    const flags = ['-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];
    await run('go', ['install', ...flags, `${path}@${version}`], {
      env: { GOBIN: folder, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto', GOFLAGS: '-modcacherw -buildvcs=false' },
    });
    // Go names the program after the folder of its package.
    if (basename(path) !== name) await rename(join(folder, basename(path)), join(folder, name));
  };
  return join(await cachedFolder(`${name}-${version}`, build, cache), name);
}
