import { defineConfig } from 'vitest/config';

/** What `pnpm verify` runs: tests that need nothing running, neither a database nor a stand-in. */
export default defineConfig({
  test: { include: ['packages/{client,contracts}/test/**/*.test.ts', '{apps,packages}/*/test/unit/**/*.test.ts'] },
});
