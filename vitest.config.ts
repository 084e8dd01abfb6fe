import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

const packages = ['packages/contracts', 'packages/db', 'packages/auth', 'packages/client', 'packages/local-stack', 'apps/api'];

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    projects: packages.map((root) => ({
      root,
      test: {
        name: basename(root),
        include: ['test/**/*.test.ts'],
        testTimeout: 30_000,
        hookTimeout: 60_000,
        // A busy machine may need this long for something that otherwise happens at once.
        expect: { poll: { timeout: 15_000 } },
      },
    })),
  },
});
