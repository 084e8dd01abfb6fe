import { useRunningKeycloak } from './keycloak/running.ts';
import { startKeycloak } from './keycloak/server.ts';
import { closeWith, runVitest } from './run-vitest.ts';

/**
 * `npm run test:keycloak`: the tests on a real Keycloak. With KEYCLOAK_URL it uses that one, else it starts one on this machine. Arguments
 * select test files. The last line says how many tests passed and failed.
 */
const filters = process.argv.slice(2).filter((arg) => arg !== '--');

await closeWith(async () => {
  const { access, stop } = process.env['KEYCLOAK_URL'] ? await useRunningKeycloak() : await startKeycloak();
  try {
    const projects = access.pidFile === null ? ['keycloak'] : [];
    if (access.pidFile === null) console.log('The test that restarts Keycloak does not run: KEYCLOAK_URL names a running one.');
    return await runVitest(filters, { config: 'vitest.keycloak.config.ts', project: projects, provide: { keycloak: access } });
  } finally {
    await stop();
  }
});
