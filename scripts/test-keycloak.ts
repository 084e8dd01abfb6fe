import { useRunningKeycloak } from './keycloak/running.ts';
import { startKeycloak } from './keycloak/server.ts';
import { closeWith, runVitest } from './run-vitest.ts';

/**
 * `npm run test:keycloak`: the tests on a real Keycloak. With KEYCLOAK_URL it uses that one, else it starts one on this machine. Arguments
 * select test files. The last line says how many tests passed and failed. After Ctrl-C or SIGTERM it still deletes what it has created.
 */
const filters = process.argv.slice(2).filter((arg) => arg !== '--');
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

await closeWith(async () => {
  const { access, stop } = process.env['KEYCLOAK_URL'] ? await useRunningKeycloak() : await startKeycloak();
  try {
    const projects = access.pidFile === null ? ['keycloak'] : [];
    if (access.pidFile === null) console.log('The test that restarts Keycloak does not run: KEYCLOAK_URL names a running one.');
    const options = { config: 'vitest.keycloak.config.ts', project: projects, provide: { keycloak: access } };
    return await runVitest(filters, options, interruption.signal);
  } finally {
    await stop();
  }
});
