import { defineConfig } from 'vitest/config';

/** What `npm run test:recovery` runs: backups and restores with the client programs of PostgreSQL. scripts/test-recovery.ts provides them. */
export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    include: ['apps/api/test/recovery/*.recovery-test.ts'],
    // The snapshots of all backups on the server are in one folder, in which a test looks for its own.
    fileParallelism: false,
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
