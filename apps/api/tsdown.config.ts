import { defineConfig } from 'tsdown';

/**
 * The production programs, `node dist/main.js`, before it `node dist/migrate.js` once `node dist/geography.js`, and at will `node dist/clean-storage.js`: the packages of the workspace are inside them,
 * with what only those depend on; the dependencies of this package stay beside them in node_modules.
 */
export default defineConfig({
  entry: {
    main: 'src/main.ts',
    migrate: '../../packages/db/src/migrate-command.ts',
    'clean-storage': 'src/clean-storage.ts',
    geography: '../../packages/db/src/load-geography-command.ts',
  },
  platform: 'node',
  target: 'node24',
  fixedExtension: false,
  sourcemap: true,
  dts: false,
  deps: { alwaysBundle: /^@profile-service\//, onlyBundle: ['lru-cache', 'municipios-brasil', 'uuid'] },
});
