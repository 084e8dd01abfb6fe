import { defineConfig } from 'tsdown';

/** Builds the package that a frontend installs: one script for browsers and Node, and one file of types. */
export default defineConfig({
  entry: 'src/index.ts',
  platform: 'neutral',
  target: 'es2022',
  fixedExtension: false,
  tsconfig: 'tsconfig.build.json',
  dts: true,
  deps: { onlyBundle: [] },
  logLevel: 'error',
});
