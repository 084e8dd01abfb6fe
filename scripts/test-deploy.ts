import { installTools } from './deploy/tools.ts';
import { closeWith, runVitest } from './run-vitest.ts';

/**
 * `npm run test:deploy`: the Helm chart on Helm and the schemas of Kubernetes, and the alert rules on promtool.
 * The last line says how many tests passed and failed.
 */
await closeWith(async () => {
  Object.assign(process.env, await installTools());
  return runVitest(process.argv.slice(2), { config: 'vitest.deploy.config.ts' });
});
