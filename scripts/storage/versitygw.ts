import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../ci/command.ts';
import { installGoProgram } from '../go-program.ts';

/** Builds the gateway, once per version. @returns the program's path  @throws where the machine has no Go */
export const installVersitygw = (): Promise<string> =>
  installGoProgram({
    name: 'versitygw',
    path: 'github.com/versity/versitygw/cmd/versitygw',
    version: pinnedVersion(),
    cache: process.env['VERSITYGW_CACHE'],
  });

/** The version that docker-compose.yml runs. */
function pinnedVersion(): string {
  const version = /image: versity\/versitygw:(v[\d.]+)/.exec(readFileSync(join(root, 'docker-compose.yml'), 'utf8'))?.[1];
  if (!version) throw new Error('docker-compose.yml names no version of versitygw');
  return version;
}
