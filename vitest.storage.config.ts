import { defineConfig } from 'vitest/config';

/** What `npm run test:storage` runs: the tests that need a real S3 endpoint, which the STORAGE_ settings name. */
export default defineConfig({
  test: { include: ['apps/api/test/**/*.gateway-test.ts'], testTimeout: 30_000, expect: { poll: { timeout: 15_000 } } },
});
