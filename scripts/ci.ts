import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './ci/command.ts';
import { baseCommit } from './compose/changes.ts';
import { checkClientPackage } from './ci/client-package.ts';
import { verifyChangedCompose } from './ci/compose.ts';
import { copyExampleFrontend } from './ci/example-frontend.ts';
import { startFromImageFiles } from './ci/image.ts';
import { npmTest } from './ci/npm-test.ts';
import { checkBreakingChanges, testBreakingChanges } from './ci/openapi.ts';
import { migrateAndIsolateOnPostgres15 } from './ci/postgres15.ts';
import { proof, proofWith } from './ci/proof.ts';
import { callAsReadmeSays } from './ci/readme.ts';
import { readSkip, runSteps, type Steps } from './ci/steps.ts';
import { composeConfig, hadolint, installTools } from './ci/tools.ts';
import { lintWorkflows } from './ci/workflows.ts';

const skip = readSkip(process.env['CI_SKIP']);

/**
 * The steps of `.ci/run` after the packages are installed, with the long tests in short forms. Each step counts as one, and each test as one. CI_SKIP names suites to
 * leave out, such as `CI_SKIP=storage,postgres15`. CI_BASE is the commit before the changes, for the step `compose`.
 */
const steps: Steps = {
  'install missing tools': () => installTools(skip),
  'npm test': npmTest,
  'storage: attachments on a real S3 gateway': () => proofWith({ UPLOAD_MIB: '128' }, 'storage'),
  'keycloak: the identity provider on a real Keycloak': () => proof('keycloak'),
  'clients: generated clients in TypeScript, Python, Go and Java': () => proof('clients'),
  'receivers: receivers of webhooks in four frameworks': () => proof('receivers'),
  'clients: the first calls of the README': callAsReadmeSays,
  'pnpm verify': () => run('pnpm', ['verify']),
  'breaking changes of the OpenAPI document': checkBreakingChanges,
  'test of the check for breaking changes': testBreakingChanges,
  'pnpm build': () => run('pnpm', ['build']),
  'check the package of the client, and rehearse its publication': checkClientPackage,
  'copy the example frontend as its README says, and build the copy': copyExampleFrontend,
  'start the build from the files of the image': startFromImageFiles,
  'lint the Dockerfiles': hadolint,
  'docker compose config': composeConfig,
  'deploy: the Helm chart and the alert rules': () => proof('deploy'),
  'compose: the containers, if the deployment files have changed': () => verifyChangedCompose(process.env['CI_BASE'] || baseCommit()),
  'lint the workflows': lintWorkflows,
  'generate the SBOM': () => run('pnpm', ['-C', 'apps/api', 'run', 'sbom', '--out', join(tmpdir(), 'profile-service.cdx.json')]),
  'faults: each fault once under load': () => proof('faults', '--seconds', '0.5'),
  'events: writers and readers while instances are killed': () => proof('events', '--minutes', '0.5'),
  'bulk: an import while the service is killed': () => proof('bulk', '--only', 'kills', '--rows', '5000', '--kills', '2'),
  'isolation test, 2 minutes': () => proof('isolation', '--minutes', '2'),
  'postgres15: migrations and isolation test on PostgreSQL 15, 1 minute': migrateAndIsolateOnPostgres15,
  'recovery: backup, restore and point-in-time recovery on PostgreSQL 15': () => proof('recovery'),
  'mutants, sample of 6': () => proof('mutants', '--sample', '6'),
  'fuzz test, 2 minutes': () => proof('fuzz', '--minutes', '2'),
  'kill the service at random moments, half a minute': () =>
    run('vitest', ['run', '--project', 'api', 'test/crash'], { env: { CRASH_SECONDS: '30' } }),
  'no committed file has changed': assertUnchanged,
};
await runSteps(steps, skip);

async function assertUnchanged(): Promise<void> {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changes) throw new Error(`Changed:\n${changes}`);
}
