import { defineConfig } from 'vitest/config';

/** What `npm run test:deploy` runs: the tests of the Helm chart and the alert rules. scripts/test-deploy.ts installs the programs that they need. */
export default defineConfig({
  test: {
    include: ['apps/api/test/**/*.deploy-test.ts'],
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 120_000,
  },
});
