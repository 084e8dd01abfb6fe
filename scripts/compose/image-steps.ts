import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../ci/command.ts';
import type { Steps } from '../ci/steps.ts';
import { expectEqual, expectPart } from './expect.ts';
import { docker, type ComposeProject } from './project.ts';

/** The size of the layers that the instructions of our Dockerfile add, in bytes. The base image need not be in the image store: BuildKit does not put it there. */
export async function ownLayerBytes(image: string): Promise<number> {
  const stage = /^FROM \S+ AS api\n([^]*)/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1] ?? '';
  const instructions = stage.split('\n').filter((line) => /^[A-Z]+ /.test(line));
  const history = await docker('history', '--no-trunc', '--human=false', '--format', '{{.Size}} {{.CreatedBy}}', image);
  // The newest is first.
  const own = history.split('\n').slice(0, instructions.length);
  if (!instructions[0] || !own.at(-1)?.includes(instructions[0]))
    throw new Error(`The history of ${image} does not match the Dockerfile:\n${history}`);
  return own.reduce((sum, line) => sum + Number(line.split(' ', 1)[0]), 0);
}

/** What must hold of the settings and the image before anything starts. @param development the file with the secrets of .env.example */
export const imageSteps = (project: ComposeProject, development: string): Steps => ({
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
    const { code, text } = await project.withEnvFile(development, () =>
      project.result('run', '--rm', '--no-deps', '--env', 'NODE_ENV=production', 'api'),
    );
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
