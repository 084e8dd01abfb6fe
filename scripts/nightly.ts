import { npmRun, recordResult, splitRecordFlag } from '../test/test-results.ts';
import { installTools } from './ci/tools.ts';
import { run } from './ci/command.ts';
import { npmScript } from './ci/npm-script.ts';
import { npmTest } from './ci/npm-test.ts';
import { runSteps } from './ci/steps.ts';

/** `npm run nightly`: the long forms of what `.ci/run` does, about three hours. With `--record` each test writes its result into docs/test-results.md. */
const { record } = splitRecordFlag(process.argv.slice(2));
const recordFlag = record ? ['--record'] : [];
const began = performance.now();
const total = await runSteps({
  'install redis-server, hadolint, docker-compose': installTools,
  'npm test': npmTest,
  'an upload of 1 GiB': () => run('vitest', ['run', '--project', 'api', 'attachments-memory'], { env: { UPLOAD_MIB: '1024' } }),
  'every naughty string in every field': () =>
    run('vitest', ['run', '--project', 'api', 'endpoints/naughty-strings'], { env: { NAUGHTY_STRINGS_PARTS: '1' } }),
  'isolation, an hour': () => npmScript('test:isolation', '--minutes', '60', ...recordFlag),
  'every mutant': () => npmScript('test:mutants', ...recordFlag),
  'fuzz: 200,000 requests from the endpoints': () => npmScript('test:fuzz', '--only', 'endpoints', '--requests', '200000', ...recordFlag),
  'fuzz: schemathesis': () => npmScript('test:fuzz', '--only', 'schemathesis', '--minutes', '20', ...recordFlag),
});
if (record) {
  const figures = `every long test in ${((performance.now() - began) / 60_000).toFixed(0)} min`;
  await recordResult({ test: 'nightly', command: npmRun('nightly', []), figures, ...total });
}
