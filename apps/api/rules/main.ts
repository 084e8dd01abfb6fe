import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@profile-service/contracts';
import { format, resolveConfig } from 'prettier';
import { findProblems } from './check.ts';
import { citationsIn } from './citations.ts';
import { coveragePage } from './coverage-page.ts';
import { readSpecification } from './specification.ts';

/**
 * `pnpm docs:rules` writes docs/rule-coverage.md. With `--check` it fails if the committed page is out of date. Both fail if a rule has no
 * test, a test cites an unknown rule, or the endpoints of specification and contract differ.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const file = `${root}docs/rule-coverage.md`;
const pages = readSpecification(`${root}docs/specification`);
const tests = globSync(['apps/*/test/**/*.test.ts', 'packages/*/test/**/*.test.ts'], { cwd: root, exclude: ['**/node_modules/**'] });
const citations = tests.toSorted().flatMap((test) => citationsIn(test, readFileSync(root + test, 'utf8')));

const problems = findProblems(pages, endpoints, citations);
const page = await format(coveragePage(pages, citations), { ...(await resolveConfig(file)), filepath: file });
if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (readFileSync(file, 'utf8') !== page)
  problems.push('docs/rule-coverage.md is out of date: run `pnpm docs:rules` and commit the page');

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
