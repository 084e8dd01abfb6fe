import { defineConfig } from 'tsdown';

/** What a frontend installs: the client in one file, for browsers and Node, and its types in another, with those of the contracts inside. */
export default defineConfig({
  entry: 'src/index.ts',
  platform: 'neutral',
  target: 'es2022',
  fixedExtension: false,
  // At the root, since its folder has to hold the contracts' sources too.
  tsconfig: '../../tsconfig.client.json',
  dts: true,
  // Types alone come from zod; no program of it is in the bundle.
  deps: { alwaysBundle: /^@profile-service\//, onlyBundle: ['zod'] },
  // It warns of each of zod's CommonJS twins of types, which are not taken in.
  logLevel: 'error',
});
