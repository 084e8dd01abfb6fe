import { npmRun, recordResult, splitRecordFlag } from '../test/test-results.ts';
import { verifyCompose } from './ci/compose.ts';
import { installTools } from './ci/tools.ts';
import { run } from './ci/command.ts';
import { npmTest } from './ci/npm-test.ts';
import { proof, proofWith } from './ci/proof.ts';
import { runSteps } from './ci/steps.ts';
import { testOnValkey } from './ci/valkey.ts';

/** `npm run nightly`: the long tests of `.ci/run` at full length. Takes about 4 hours. With `--record` each test writes its result to docs/run/figures.md. */
const { record } = splitRecordFlag(process.argv.slice(2));
const recordFlag = record ? ['--record'] : [];
const startedAt = performance.now();
const total = await runSteps({
  'install missing tools': () => installTools(),
  'npm test': npmTest,
  'the containers, if there is a Docker engine': () => verifyCompose(...recordFlag),
  'npm test on PostgreSQL 15': () => proof('postgres15'),
  'the tests of Redis on Valkey': testOnValkey,
  'attachments on a real S3 gateway, with 1 GiB': () => proofWith({ UPLOAD_MIB: '1024' }, 'storage'),
  'the identity provider on a real Keycloak': () => proof('keycloak'),
  'clients in four languages': () => proof('clients'),
  'receivers of webhooks in four frameworks': () => proof('receivers'),
  'the Helm chart and the alert rules': () => proof('deploy'),
  'backup, restore and point-in-time recovery': () => proof('recovery'),
  'upload of 1 GiB': () => run('vitest', ['run', '--project', 'api', 'attachments-memory'], { env: { UPLOAD_MIB: '1024' } }),
  '1,000 random requests to every endpoint, and every naughty string in every field': () =>
    run('vitest', ['run', '--project', 'api', 'endpoints/fuzz'], { env: { FUZZ_REQUESTS: '1000', NAUGHTY_STRINGS_PARTS: '1' } }),
  'kill the service at random moments, 10 minutes': () =>
    run('vitest', ['run', '--project', 'api', 'test/crash'], { env: { CRASH_SECONDS: '600' } }),
  'each fault under load, 15 seconds': () => proof('faults', '--seconds', '15', ...recordFlag),
  'delivery of events while instances are killed': () => proof('events', '--events', '1000000', ...recordFlag),
  'export and import of 1,000,000 rows, also while the service is killed': () => proof('bulk', ...recordFlag),
  'isolation test, 60 minutes': () => proof('isolation', '--minutes', '60', ...recordFlag),
  'load test: soak of 15 minutes, overload, fairness': () => proof('load', ...recordFlag),
  'all mutants': () => proof('mutants', ...recordFlag),
  'fuzz test with schemathesis, 20 minutes': () => proof('fuzz', '--minutes', '20', ...recordFlag),
});
if (record) {
  const figures = `every long test in ${((performance.now() - startedAt) / 60_000).toFixed(0)} min`;
  await recordResult({ test: 'nightly', command: npmRun('nightly', []), figures, ...total });
}
