import { execFileSync } from 'node:child_process';
import { root } from './ci/command.ts';
import { formatFile, writeUncommitted } from './generated-file.ts';

/**
 * `pnpm generate licences` fails on a production package of the service or the client whose licence is not listed below. Without `--check` it
 * also writes the packages and their licences to `.generated/licences.md`.
 */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

interface Package {
  name: string;
  versions: string[];
  license: string;
}

// --no-optional: optional packages differ by platform, so they would make the list differ too. The image contains none of them.
const filters = ['--filter-prod', '@profile-service/api...', '--filter-prod', '@profile-service/client...'];
const listed = execFileSync('pnpm', [...filters, 'licenses', 'list', '--prod', '--no-optional', '--json'], {
  cwd: root,
  encoding: 'utf8',
});
const packages = Object.values(JSON.parse(listed) as Record<string, Package[]>).flat();

const refused = packages.filter(({ license }) => !isAllowed(license)).map(({ name, license }) => `${name}: ${license}`);
if (packages.length === 0) fail('pnpm listed no packages.');
if (refused.length > 0) fail(`Licences that are not allowed:\n${refused.join('\n')}`);

if (!process.argv.includes('--check')) writeUncommitted('licences.md', await listOf(packages));

/** Accepts an SPDX expression if one of its alternatives is allowed. An expression with AND needs a human decision, so it is refused. */
function isAllowed(license: string): boolean {
  const alternatives = /^\((.*)\)$/.exec(license)?.[1] ?? license;
  return !alternatives.includes(' AND ') && alternatives.split(' OR ').some((alternative) => allowed.has(alternative));
}

async function listOf(found: Package[]): Promise<string> {
  const rows = found.flatMap(({ name, versions, license }) => versions.map((version) => `| ${name} | ${version} | ${license} |`));
  const lines = [
    '# Licences',
    '',
    'The production packages of the service and the client.',
    '',
    '| Package | Version | Licence |',
    '| --- | --- | --- |',
    ...rows.toSorted((a, b) => (a < b ? -1 : 1)),
  ];
  return formatFile('.generated/licences.md', lines.join('\n'));
}

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}
