import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

const packages = [
  'packages/contracts',
  'packages/db',
  'packages/storage',
  'packages/record-files',
  'packages/webhooks',
  'packages/operations',
  'packages/auth',
  'packages/client',
  'packages/local-stack',
  'apps/api',
  'bench',
];

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    // A test file uses a processor for 40 % of its time: it waits for processes, timeouts and the database. More workers than processors keep these busy.
    maxWorkers: availableParallelism() + 3,
    projects: packages.map((root) => ({
      root,
      test: {
        name: basename(root),
        include: ['test/**/*.test.ts'],
        // A worker imports the service once and runs one file after the other. Each file has its own database and its own service.
        isolate: false,
        // Node runs the sources as it runs the service, without a bundler in between.
        experimental: { viteModuleRunner: false, nodeLoader: false },
        testTimeout: 60_000,
        hookTimeout: 120_000,
        // A busy machine may need this long for something that otherwise happens at once.
        expect: { poll: { timeout: 30_000 } },
      },
    })),
  },
});
