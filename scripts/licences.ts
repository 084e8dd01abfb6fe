import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/**
 * `pnpm licences:write` lists the packages that the service and the client bring along, with their licences, in `docs/licences.md`;
 * `pnpm licences:check` fails where that list is not the one of the lockfile. Both fail on a licence that is not in the list below.
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

const root = fileURLToPath(new URL('..', import.meta.url));
const file = fileURLToPath(new URL('../docs/licences.md', import.meta.url));
// --no-optional: what there is for one kind of machine alone would make the list another one elsewhere. Nothing of the kind is in the image.
const question = ['--filter-prod', '@profile-service/api...', '--filter-prod', '@profile-service/client...'];
const answer = execFileSync('pnpm', [...question, 'licenses', 'list', '--prod', '--no-optional', '--json'], {
  cwd: root,
  encoding: 'utf8',
});
const packages = Object.values(JSON.parse(answer) as Record<string, Package[]>).flat();

const refused = packages.filter(({ license }) => !isAllowed(license)).map(({ name, license }) => `${name}: ${license}`);
if (packages.length === 0) refuse('pnpm lists no package at all.');
if (refused.length > 0) refuse(`Licences that nobody has allowed:\n${refused.join('\n')}`);

const text = await listOf(packages);
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) refuse('docs/licences.md is not current: pnpm licences:write');

/** Of an SPDX expression one alternative has to be allowed. One that asks for several licences at once is for a person to read. */
function isAllowed(license: string): boolean {
  const alternatives = /^\((.*)\)$/.exec(license)?.[1] ?? license;
  return !alternatives.includes(' AND ') && alternatives.split(' OR ').some((alternative) => allowed.has(alternative));
}

async function listOf(found: Package[]): Promise<string> {
  const rows = found.flatMap(({ name, versions, license }) => versions.map((version) => `| ${name} | ${version} | ${license} |`));
  const lines = [
    '# Licences',
    '',
    'Every package that the service in production or the client brings along, written by `pnpm licences:write` from what is installed.',
    'Its check, a part of `pnpm verify`, fails on a licence that `scripts/licences.ts` does not allow.',
    '',
    '| Package | Version | Licence |',
    '| --- | --- | --- |',
    ...rows.toSorted((a, b) => (a < b ? -1 : 1)),
  ];
  return format(lines.join('\n'), { ...(await resolveConfig(file)), filepath: file });
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(1);
}
