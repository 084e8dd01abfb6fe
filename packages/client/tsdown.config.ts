import { defineConfig } from 'tsdown';

/** Builds the package that a frontend installs: one script for browsers and Node, and one file of types, which includes those of the contracts. */
export default defineConfig({
  entry: 'src/index.ts',
  platform: 'neutral',
  target: 'es2022',
  fixedExtension: false,
  // At the root of the repository, since its folder must contain the sources of the contracts too.
  tsconfig: '../../tsconfig.client.json',
  dts: true,
  // The bundle has only types of zod, none of its code.
  deps: { alwaysBundle: /^@profile-service\//, onlyBundle: ['zod'] },
  // tsdown warns about each CommonJS duplicate of zod's types, which the bundle does not include.
  logLevel: 'error',
});
