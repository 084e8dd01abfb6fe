import { defineConfig } from 'vitest/config';

const shared = {
  // A worker imports the service once and runs one file after the other.
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
};
const withDatabase = { ...shared, globalSetup: 'test/global-setup.ts' };

/** The tests of long proofs. `npm run proof` selects the projects and provides what their tests need. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...withDatabase,
          name: 'keycloak',
          // `npm test` runs the contract tests on the identity provider of the local stack.
          include: ['apps/api/test/**/*.keycloak-test.ts', 'packages/local-stack/test/identity/contract/*.test.ts'],
        },
      },
      {
        test: {
          ...withDatabase,
          name: 's3',
          include: [
            '{apps/api,packages/storage}/test/**/*.s3-test.ts',
            'apps/api/test/resources/attachments{,-form,-races,-scope}.test.ts',
            'apps/api/test/jobs/storage-cleanup.test.ts',
            'apps/api/test/transports/client-files.test.ts',
          ],
        },
      },
      // Start and disturb a gateway of their own.
      { test: { ...withDatabase, name: 's3-gateway', include: ['apps/api/test/**/*.gateway-test.ts'] } },
      { test: { ...withDatabase, name: 'recovery', include: ['apps/api/test/recovery/*.recovery-test.ts'] } },
      { test: { ...shared, name: 'deploy', include: ['apps/api/test/**/*.deploy-test.ts'] } },
      { test: { ...shared, name: 'oasdiff', include: ['apps/api/test/openapi/**/*.oasdiff-test.ts'] } },
    ],
  },
});
