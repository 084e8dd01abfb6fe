import { defineConfig } from 'tsdown';

/** Builds the package that a frontend installs: one script for browsers and Node, and one file of types. */
export default defineConfig({
  entry: 'src/index.ts',
  platform: 'neutral',
  target: 'es2022',
  fixedExtension: false,
  dts: true,
  deps: { onlyBundle: [] },
  logLevel: 'warn',
});
