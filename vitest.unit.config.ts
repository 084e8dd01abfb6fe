import { defineConfig } from 'vitest/config';

/** The tests that `pnpm verify` runs. They need neither a database nor an identity provider nor a storage. */
export default defineConfig({
  test: {
    include: ['packages/{client,contracts}/test/**/*.test.ts', '{apps,packages}/*/test/unit/**/*.test.ts', 'bench/test/**/*.test.ts'],
  },
});
