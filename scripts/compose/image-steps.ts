import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '../ci/command.ts';
import type { Steps } from '../ci/steps.ts';
import { expectEqual, expectPart } from './expect.ts';
import { docker, type ComposeProject } from './project.ts';

/** The base image of the service's image, whose size is not ours. */
const baseImage = /^FROM (\S+) AS api$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1] ?? '';

/** The size of the image's own layers, in bytes. */
export async function ownLayerBytes(image: string): Promise<number> {
  const sizeOf = async (name: string) => Number(await docker('image', 'inspect', '--format', '{{.Size}}', name));
  return (await sizeOf(image)) - (await sizeOf(baseImage));
}

/** Builds the image of another commit. */
export async function buildCommit(commit: string, image: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-commit-'));
  try {
    execFileSync('git', ['worktree', 'add', '--detach', folder, commit], { cwd: root, stdio: 'ignore' });
    await run('docker', ['build', '--quiet', '--tag', image, folder]);
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What must hold of the settings and the image before anything starts. */
export const imageSteps = (project: ComposeProject): Steps => ({
  'compose:env writes new secrets, and no existing file': async () => {
    const file = `${project.envFile}.new`;
    await run('npm', ['run', '--silent', 'compose:env', '--', '--file', file]);
    const text = readFileSync(file, 'utf8');
    expectEqual('development secrets', text.match(/dev-only-/g), null);
    expectEqual('mode', statSync(file).mode & 0o777, 0o600);
    await expectFailure(() => run('npm', ['run', '--silent', 'compose:env', '--', '--file', file]), 'a second compose:env');
    expectEqual('the file', readFileSync(file, 'utf8'), text);
  },

  'build the images': () => project.compose('build'),

  'the image has no source, source map or compiler, and no file of the runtime user': async () => {
    const search = [
      "find /app ! -user root -o -name '*.map' -o -name '*.ts'",
      'for program in gcc cc make python3 pnpm git; do command -v $program; done',
      'true',
    ];
    expectEqual('found', await docker('run', '--rm', '--entrypoint', 'sh', project.image, '-c', search.join('; ')), '');
    expectEqual('user', (await docker('image', 'inspect', '--format', '{{.Config.User}}', project.image)).trim(), '1000:1000');
  },

  'the own layers of the image have less than 20 MB': async () => {
    const bytes = await ownLayerBytes(project.image);
    if (bytes > 20e6) throw new Error(`The own layers of the image have ${bytes} bytes`);
  },

  'in production mode, the API refuses the secrets of .env.example': async () => {
    const { code, text } = await project.result('run', '--rm', '--no-deps', '--env', 'NODE_ENV=production', 'api');
    expectEqual('exit code', code, 1);
    expectPart('output', text, 'IDENTITY_CLIENT_SECRET holds a development secret');
  },
});

async function expectFailure(action: () => Promise<void>, what: string): Promise<void> {
  const failed = await action().then(
    () => false,
    () => true,
  );
  if (!failed) throw new Error(`${what} did not fail`);
}
