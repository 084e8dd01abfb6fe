import { installTools } from '../deploy/tools.ts';
import { closeWith, readFilters, runVitest } from './run-vitest.ts';

/**
 * `npm run proof -- deploy`: the Helm chart on Helm and the schemas of Kubernetes, and the alert rules on promtool.
 * The last line says how many tests passed and failed.
 */
await closeWith(async () => {
  Object.assign(process.env, await installTools());
  return runVitest(readFilters(), { project: ['deploy'] });
});
