import { startVitest } from 'vitest/node';
import { startGateway } from './storage/gateway.ts';
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

async function runTests(filters: string[]): Promise<Outcome> {
  const vitest = await startVitest(filters, { config: 'vitest.storage.config.ts', watch: false });
  await vitest.close();
  const modules = vitest.state.getTestModules();
  const states = modules.flatMap((module) => [...module.children.allTests()]).map((test) => test.result().state);
  const passed = states.filter((state) => state === 'passed').length;
  // A file that could not be read, or an error outside any test, fails no test.
  const others = modules.length === 0 || modules.some((module) => !module.ok()) || vitest.state.getUnhandledErrors().length > 0 ? 1 : 0;
  return { passed, failed: Math.max(states.length - passed, others) };
}

const outcome = await main(process.argv.slice(2)).catch((error: unknown): Outcome => {
  console.error(error instanceof Error ? error.message : error);
  return { passed: 0, failed: 1 };
});
console.log(`${outcome.passed} passed, ${outcome.failed} failed`);
process.exit(outcome.failed > 0 ? 1 : 0);
