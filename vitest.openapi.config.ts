import { defineConfig } from 'vitest/config';

/** What `pnpm openapi:breaking:test` runs: proves which changes of the OpenAPI document the check for breaking changes finds. Needs Go, which builds oasdiff. */
export default defineConfig({ test: { include: ['apps/api/test/openapi/**/*.oasdiff-test.ts'], testTimeout: 60_000 } });
