import { defineConfig } from 'vitest/config';

const restart = 'apps/api/test/keycloak/restart.keycloak-test.ts';
const test = {
  // A worker imports the service once and runs one file after the other.
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
};

/**
 * What `npm run test:keycloak` runs on a real Keycloak. The contract tests also run in `npm test`, on the identity provider of the local stack.
 * The test that restarts Keycloak runs when the others have ended.
 */
export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...test,
          name: 'keycloak',
          include: ['apps/api/test/**/*.keycloak-test.ts', 'packages/local-stack/test/identity/contract/*.test.ts'],
          exclude: [restart],
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...test, name: 'keycloak-restart', include: [restart], sequence: { groupOrder: 1 } } },
    ],
  },
});
