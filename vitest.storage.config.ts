import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What `npm run test:storage` runs: tests on a real S3 endpoint, and the tests of attachments on it. scripts/test-storage.ts provides its settings. */
export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    include: [
      // Any endpoint.
      '{apps/api,packages/storage}/test/**/*.s3-test.ts',
      // Tests that start versitygw themselves.
      'apps/api/test/**/*.gateway-test.ts',
      'apps/api/test/resources/attachments{,-download,-form,-races,-scope}.test.ts',
      'apps/api/test/jobs/storage-cleanup.test.ts',
      'apps/api/test/transports/client-files.test.ts',
    ],
    // Most tests wait for the storage.
    maxWorkers: availableParallelism() + 2,
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
