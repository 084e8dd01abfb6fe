import { defineConfig } from 'tsdown';

/**
 * Builds the production programs: `node dist/main.js`, and the commands `migrate.js`, `geography.js` and `clean-storage.js` beside it.
 * The workspace's packages are bundled, with the dependencies that only they have. This package's own dependencies stay in node_modules.
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
  deps: { alwaysBundle: /^@profile-service\//, onlyBundle: ['lru-cache', 'municipios-brasil', 'p-limit', 'uuid', 'yocto-queue'] },
});
