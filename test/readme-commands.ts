import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the indented blocks below a heading of README.md, up to the next heading. */
export async function readmeBlocks(heading: string): Promise<string[]> {
  const page = await readFile(`${root}README.md`, 'utf8');
  const section = page.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/(?<=\n\n)(?: {4}.*\n|\n(?= {4}))+/g)].map(([block]) => block.replaceAll(/^ {4}/gm, ''));
}

/**
 * Runs commands of a documentation page in bash, in the root of the repository, with the addresses of an `npm start` on this port. Fails if a command fails.
 * `--norc`: with a socket as standard input and without a parent shell, bash reads its start-up files.
 * The programs in `examples` take the addresses from variables.
 * @param folder stands for `/tmp`
 * @param receiverUrl stands for `http://localhost:4000`, where receivers of webhooks listen
 */
export function runCommands(
  commands: string,
  port: number,
  folder: string,
  receiverUrl = 'http://localhost:4000',
): Promise<{ stdout: string; stderr: string }> {
  const [url, identityUrl] = [`http://localhost:${port}`, `http://localhost:${port + 1}`];
  const addresses = { PROFILE_URL: url, TOKEN_URL: `${identityUrl}/realms/profile/protocol/openid-connect/token` };
  const script = commands
    .replaceAll('http://localhost:3000', url)
    .replaceAll('http://localhost:3001', identityUrl)
    .replaceAll('http://localhost:4000', receiverUrl)
    .replaceAll(/\/tmp\b/g, folder);
  return run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], { cwd: root, env: { ...process.env, ...addresses } });
}
