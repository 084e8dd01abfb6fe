// Which module may import which. `pnpm dependencies` checks it. A type import counts as an import.

/** The packages that the sources of a package may import. */
const packages = {
  contracts: [],
  db: ['contracts'],
  auth: ['contracts', 'db'],
  storage: ['contracts'],
  'record-files': [],
  operations: ['db', 'storage'],
  client: [],
  'local-stack': [],
  webhooks: [],
};

/** The folders of apps/api/src that a folder may import. `service/`, `main.ts` and `app.ts` compose: they may import all, and no folder imports them. */
const folders = {
  observability: [],
  request: ['observability'],
  journal: ['request'],
  webhooks: ['request', 'journal', 'observability'],
  imports: ['request', 'observability'],
  resources: ['request', 'journal', 'jobs', 'imports'],
  jobs: ['request', 'observability', 'webhooks'],
  transports: ['request', 'observability'],
};

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-cycles', 'Modules that import each other are one module.', {}, { circular: true }),
    { ...rule('no-folder-cycles', 'So are folders.', { path: '^(apps/api|packages/db)/src/' }, { circular: true }), scope: 'folder' },
    ...Object.entries(packages).map(([name, allowed]) =>
      rule(
        `packages-${name}`,
        'Imports run one way: contracts ← db ← auth ← api.',
        { path: `^packages/${name}/src/` },
        { path: '^(apps|packages)/[^/]+/src/', pathNot: `^packages/(${[name, ...allowed].join('|')})/src/` },
      ),
    ),
    ...Object.entries(folders).map(([name, allowed]) =>
      rule(
        `folders-${name}`,
        'The list of folders in docs/change/architecture.md tells the direction.',
        { path: `^apps/api/src/${name}/` },
        { path: '^apps/api/src/', pathNot: `^apps/api/src/(${[name, ...allowed].join('|')})/` },
      ),
    ),
    rule(
      'http-in-transports',
      'Only transports and app.ts know HTTP. Others may use the types of Node.',
      { path: '^apps/api/src/', pathNot: '^apps/api/src/(transports/|app\\.ts$)' },
      { path: '^https?$|^http2$|/node_modules/express/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'contracts-in-browsers',
      'The contracts import only zod and types of @trpc/server: browsers load them too.',
      { path: '^packages/contracts/src/' },
      { pathNot: '^packages/contracts/src/|/node_modules/(zod|@trpc/server)/' },
    ),
    rule(
      'contracts-trpc-types',
      'The contracts import only types of @trpc/server: browsers load them too.',
      { path: '^packages/contracts/src/' },
      { path: '/node_modules/@trpc/server/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'client-installable',
      'The client imports only tRPC, because frontends install it. Its types of the contracts are generated.',
      { path: '^packages/client/src/' },
      { pathNot: '^packages/client/src/|/node_modules/@trpc/(client|server)/' },
    ),
    rule(
      'example-copyable',
      'The example is what others copy: it imports only packages that they can install.',
      { path: '^examples/' },
      { path: '^(apps|packages|bench|scripts|test)/', pathNot: '^packages/client/' },
    ),
    rule(
      'no-tests-in-production',
      'Sources import no tests and no tools.',
      { path: '^(apps|packages)/[^/]+/src/' },
      { path: '^(bench|examples|scripts|test)/|^(apps|packages)/[^/]+/(?!src/)', pathNot: '\\.json$' },
    ),
    rule(
      'production-dependencies',
      'Sources import only `dependencies`: `npm start` installs no others.',
      { path: '^(apps|packages)/[^/]+/src/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'packages-by-name',
      'Import another package by its name, through its exports.',
      { path: '^((?:apps|packages)/[^/]+/|[^/]+/)' },
      { path: '^(apps|packages)/[^/]+/src/', pathNot: '^$1', dependencyTypes: ['local'] },
    ),
  ],
  options: {
    // TypeScript 6, by `packageExtensions` in pnpm-workspace.yaml. swc cannot read `using`.
    parser: 'tsc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|packages|examples)/[^/]+/dist/|^scripts/clients/checks/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
