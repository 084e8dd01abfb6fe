import { installTools } from './ci/tools.ts';
import { run } from './ci/command.ts';
import { npmScript } from './ci/npm-script.ts';
import { npmTest } from './ci/npm-test.ts';
import { runSteps } from './ci/steps.ts';

/** `npm run nightly`: what `.ci/run` does in short forms, at length; some three hours. What it last found stands in docs/security.md. */
await runSteps({
  'install redis-server, hadolint, docker-compose': installTools,
  'npm test': npmTest,
  'an upload of 1 GiB': () => run('vitest', ['run', '--project', 'api', 'attachments-memory'], { env: { UPLOAD_MIB: '1024' } }),
  'isolation, an hour': () => npmScript('test:isolation', '--minutes', '60'),
  'every mutant': () => npmScript('test:mutants'),
  'fuzz: 200,000 requests from the rows': () => npmScript('test:fuzz', '--only', 'rows', '--requests', '200000'),
  'fuzz: schemathesis': () => npmScript('test:fuzz', '--only', 'schemathesis', '--minutes', '20'),
});
