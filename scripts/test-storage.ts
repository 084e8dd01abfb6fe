import { startGateway } from './storage/gateway.ts';
import { closeWith, runVitest } from './run-vitest.ts';
import { installToxiproxy } from './storage/toxiproxy.ts';
import type { Outcome } from './ci/steps.ts';

/**
 * `npm run test:storage`: the object storage and the attachments on S3. With STORAGE_ENDPOINT it uses the endpoint that the STORAGE_ settings name, without
 * the tests that start and disturb a gateway of their own. Otherwise it uses versitygw on this machine. The last line says how many tests passed and failed.
 */
async function main(filters: string[]): Promise<Outcome> {
  if (process.env['STORAGE_ENDPOINT']) {
    console.log('STORAGE_ENDPOINT is set: the tests that start versitygw and toxiproxy do not run.');
    return runVitest(filters, { config: 'vitest.storage.config.ts', exclude: ['**/*.gateway-test.ts'] });
  }
  await installToxiproxy();
  const gateway = await startGateway();
  try {
    Object.assign(process.env, gateway.settings);
    return await runVitest(filters, { config: 'vitest.storage.config.ts' });
  } finally {
    await gateway.stop();
  }
}

await closeWith(() => main(process.argv.slice(2)));
