import { globSync, readFileSync } from 'node:fs';
import { endpoints } from '@profile-service/contracts';
import { root } from '../../../scripts/ci/command.ts';
import { writeUncommitted } from '../../../scripts/generated-file.ts';
import { findProblems } from './check.ts';
import { citationsIn } from './citations.ts';
import { coveragePage } from './coverage-page.ts';
import { readSpecification } from './specification.ts';

const examples = 'packages/contracts/examples/';

/**
 * `pnpm generate rules` fails if neither a test nor an example cites a rule, if one of them cites an unknown rule, or if the endpoints of specification and
 * contract differ. Without `--check` it also writes the tests of each rule to `.generated/rule-coverage.md`.
 */
const pages = readSpecification();
const files = globSync(['apps/*/test/**/*.test.ts', 'packages/*/test/**/*.test.ts', `${examples}*.ts`], {
  cwd: root,
  exclude: ['**/node_modules/**'],
});
const citations = files.toSorted().flatMap((file) => citationsIn(file, readFileSync(root + file, 'utf8')));

const problems = [
  ...findProblems(pages, endpoints, citations),
  ...citations
    .filter(({ file, test }) => file.startsWith(examples) && test === null)
    .map(({ rule, file }) => `${file} cites ${rule} above a part that no test over all endpoints proves`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
if (!process.argv.includes('--check')) writeUncommitted('rule-coverage.md', coveragePage(pages, citations));
