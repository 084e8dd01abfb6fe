import { startGateway } from './storage/gateway.ts';
import { closeWith, runVitest } from './run-vitest.ts';
import type { Outcome } from './ci/steps.ts';

/**
 * `npm run test:storage`: the contract of the object storage on S3. With STORAGE_ENDPOINT it uses the bucket that the STORAGE_ settings name,
 * else versitygw on this machine. The last line says how many tests passed and failed.
 */
async function main(filters: string[]): Promise<Outcome> {
  if (process.env['STORAGE_ENDPOINT']) return runTests(filters);
  const gateway = await startGateway();
  try {
    Object.assign(process.env, gateway.settings);
    return await runTests(filters);
  } finally {
    await gateway.stop();
  }
}

const runTests = (filters: string[]): Promise<Outcome> => runVitest(filters, { config: 'vitest.storage.config.ts' });

await closeWith(() => main(process.argv.slice(2)));
