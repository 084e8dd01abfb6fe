import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { root } from './ci/command.ts';

/** The programs that generate files, in an order in which later ones may read what earlier ones write. */
const generators: Readonly<Record<string, string>> = {
  migrations: 'packages/db/scripts/migrations.ts',
  'database-types': 'packages/db/scripts/types.ts',
  openapi: 'apps/api/openapi/generate.ts',
  client: 'packages/client/generate/main.ts',
  rules: 'apps/api/rules/main.ts',
  reference: 'apps/api/reference/main.ts',
  dashboard: 'scripts/dashboard.ts',
  licences: 'scripts/licences.ts',
};

/** `pnpm generate [NAME…]` writes the generated files. With `--check` it fails if a committed file is out of date. It runs all generators, also after a failure. */
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(generators, name));
if (unknown.length > 0) {
  console.error(`There is no generator ${unknown.join(', ')}. The generators are ${Object.keys(generators).join(', ')}.`);
  process.exit(1);
}
for (const [name, file] of Object.entries(generators)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  // In a process of its own: the generator of the document changes the schemas of the contracts.
  const { status } = spawnSync(process.execPath, [file, ...(values.check ? ['--check'] : [])], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
