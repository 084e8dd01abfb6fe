import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './ci/command.ts';
import { startFromImageFiles } from './ci/image.ts';
import { npmTest, type Outcome } from './ci/npm-test.ts';
import { composeConfig, hadolint, installTools } from './ci/tools.ts';

/** `.ci/run`, once the packages are installed: every step runs, also after one that failed. A step counts one, the tests count each. */
const steps: Record<string, () => Promise<Outcome | void>> = {
  'install redis-server, hadolint, docker-compose': installTools,
  'npm test': npmTest,
  'pnpm verify': () => run('pnpm', ['verify']),
  'the types of the database are those of its migrations': () => run('pnpm', ['db:types', '--verify']),
  'the OpenAPI document lints clean': () => run('pnpm', ['openapi:lint']),
  'pnpm build': () => run('pnpm', ['build']),
  'the build starts from the files of the image': startFromImageFiles,
  'the Dockerfiles lint clean': hadolint,
  'docker compose config': composeConfig,
  'the SBOM is made': () => run('pnpm', ['run', 'sbom', '--out', join(tmpdir(), 'profile-service.cdx.json')]),
  'nothing committed was changed by all this': unchanged,
};

const summary: string[] = [];
const total: Outcome = { passed: 0, failed: 0 };

for (const [name, step] of Object.entries(steps)) {
  console.log(`\n── ${name}`);
  const began = performance.now();
  const outcome = await outcomeOf(step);
  total.passed += outcome.passed;
  total.failed += outcome.failed;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  summary.push(`${outcome.failed > 0 ? 'FAILED' : 'ok    '} ${seconds.padStart(6)} s  ${name}`);
}
console.log(`\n${summary.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function outcomeOf(step: () => Promise<Outcome | void>): Promise<Outcome> {
  try {
    return (await step()) ?? { passed: 1, failed: 0 };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
}

async function unchanged(): Promise<void> {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changes) throw new Error(`Changed:\n${changes}`);
}
