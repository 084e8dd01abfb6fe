import { useRunningKeycloak } from '../keycloak/running.ts';
import { startKeycloak } from '../keycloak/server.ts';
import { closeWith, readFilters, runVitest } from './run-vitest.ts';

/**
 * `npm run proof -- keycloak`: the tests on a real Keycloak. With KEYCLOAK_URL it uses that one, else it starts one on this machine. `--only TEXT`
 * selects test files. The last line says how many tests passed and failed. After Ctrl-C or SIGTERM it still deletes what it has created.
 */
const filters = readFilters();
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

await closeWith(async () => {
  const { access, stop } = process.env['KEYCLOAK_URL'] ? await useRunningKeycloak() : await startKeycloak();
  try {
    return await runVitest(filters, { project: ['keycloak'], maxWorkers: 2, provide: { keycloak: access } }, interruption.signal);
  } finally {
    await stop();
  }
});
