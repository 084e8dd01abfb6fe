import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '../ci/command.ts';

/** Fetches the gateway as a Go module and builds it, once per version. @returns the program's path  @throws where the machine has no Go */
export async function installVersitygw(): Promise<string> {
  const version = pinnedVersion();
  const cache = process.env['VERSITYGW_CACHE'] ?? join(homedir(), '.cache', 'profile-service');
  const folder = join(cache, `versitygw-${version}`);
  const program = join(folder, 'versitygw');
  if (existsSync(program)) return program;
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    throw new Error(
      'Go is missing: there is no `go` on the PATH, which builds the S3 gateway (1.21 or later; https://go.dev/doc/install). ' +
        'With STORAGE_ENDPOINT and the other STORAGE_ settings the tests use that S3 endpoint and need no Go.',
    );
  }
  // Without debug information and optimization it is built in two thirds of the time. An older Go fetches the one that the module asks for.
  const flags = ['-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];
  await run('go', ['install', ...flags, `github.com/versity/versitygw/cmd/versitygw@${version}`], {
    env: { GOBIN: folder, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto', GOFLAGS: '-modcacherw -buildvcs=false' },
  });
  return program;
}

/** The version that docker-compose.yml runs. */
function pinnedVersion(): string {
  const version = /image: versity\/versitygw:(v[\d.]+)/.exec(readFileSync(join(root, 'docker-compose.yml'), 'utf8'))?.[1];
  if (!version) throw new Error('docker-compose.yml names no version of versitygw');
  return version;
}
