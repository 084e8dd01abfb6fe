import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './ci/command.ts';
import { startFromImageFiles } from './ci/image.ts';
import { npmScript } from './ci/npm-script.ts';
import { npmTest } from './ci/npm-test.ts';
import { runSteps } from './ci/steps.ts';
import { testStorage } from './ci/storage.ts';
import { composeConfig, hadolint, installTools } from './ci/tools.ts';

/** `.ci/run`, once the packages are installed: the long tests in their short forms. A step counts one, the tests count each. */
await runSteps({
  'install redis-server, hadolint, docker-compose': installTools,
  'npm test': npmTest,
  'the object storage on a real S3 gateway': testStorage,
  'pnpm verify': () => run('pnpm', ['verify']),
  'the types of the database are those of its migrations': () => run('pnpm', ['db:types', '--verify']),
  'the OpenAPI document lints clean': () => run('pnpm', ['openapi:lint']),
  'pnpm build': () => run('pnpm', ['build']),
  'the build starts from the files of the image': startFromImageFiles,
  'the Dockerfiles lint clean': hadolint,
  'docker compose config': composeConfig,
  'the SBOM is made': () => run('pnpm', ['run', 'sbom', '--out', join(tmpdir(), 'profile-service.cdx.json')]),
  'isolation, three minutes': () => npmScript('test:isolation', '--minutes', '3'),
  'mutants, a sample': () => npmScript('test:mutants', '--sample', '6'),
  'fuzz, two minutes': () => npmScript('test:fuzz', '--only', 'schemathesis', '--minutes', '2'),
  'nothing committed was changed by all this': unchanged,
});

async function unchanged(): Promise<void> {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changes) throw new Error(`Changed:\n${changes}`);
}
