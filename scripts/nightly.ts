import { installTools } from './ci/tools.ts';
import { run } from './ci/command.ts';
import { npmScript } from './ci/npm-script.ts';
import { npmTest } from './ci/npm-test.ts';
import { runSteps } from './ci/steps.ts';

/** `npm run nightly`: the long tests of `.ci/run` at full length. Takes about 3 hours. docs/security.md holds the last results. */
await runSteps({
  'install redis-server, hadolint, docker-compose': installTools,
  'npm test': npmTest,
  'upload of 1 GiB': () => run('vitest', ['run', '--project', 'api', 'attachments-memory'], { env: { UPLOAD_MIB: '1024' } }),
  'isolation test, 60 minutes': () => npmScript('test:isolation', '--minutes', '60'),
  'all mutants': () => npmScript('test:mutants'),
  'fuzz test of the endpoints, 200,000 requests': () => npmScript('test:fuzz', '--only', 'rows', '--requests', '200000'),
  'fuzz test with schemathesis, 20 minutes': () => npmScript('test:fuzz', '--only', 'schemathesis', '--minutes', '20'),
});
