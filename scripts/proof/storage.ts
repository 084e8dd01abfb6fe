import { availableParallelism } from 'node:os';
import type { Outcome } from '../ci/steps.ts';
import { startGateway } from '../storage/gateway.ts';
import { installToxiproxy } from '../storage/toxiproxy.ts';
import { closeWith, readFilters, runVitest } from './run-vitest.ts';

/**
 * `npm run proof -- storage`: the object storage and the attachments on S3. With STORAGE_ENDPOINT it uses the endpoint that the STORAGE_ settings name, without
 * the tests that start and disturb a gateway of their own. Otherwise it uses versitygw on this machine. The last line says how many tests passed and failed.
 */
async function main(filters: string[]): Promise<Outcome> {
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[0].startsWith('STORAGE_'));
  if (process.env['STORAGE_ENDPOINT']) {
    console.log('STORAGE_ENDPOINT is set: the tests that start versitygw and toxiproxy do not run.');
    return runTests(filters, Object.fromEntries(own), ['s3']);
  }
  await installToxiproxy();
  const gateway = await startGateway();
  try {
    return await runTests(filters, gateway.settings);
  } finally {
    await gateway.stop();
  }
}

// Most tests wait for the storage.
const runTests = (filters: string[], s3Settings: Record<string, string>, project = ['s3', 's3-gateway']): Promise<Outcome> =>
  runVitest(filters, { project, maxWorkers: availableParallelism() + 2, provide: { s3Settings } });

await closeWith(() => main(readFilters()));
