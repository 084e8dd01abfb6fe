import { globSync, readFileSync } from 'node:fs';
import { endpoints } from '@profile-service/contracts';
import { root } from '../../../scripts/ci/command.ts';
import { writeUncommitted } from '../../../scripts/generated-file.ts';
import { findProblems } from './check.ts';
import { citationsIn } from './citations.ts';
import { coveragePage } from './coverage-page.ts';
import { readSpecification } from './specification.ts';

/**
 * `pnpm generate rules` fails if a rule has no test, a test cites an unknown rule, or the endpoints of specification and contract differ. Without `--check` it
 * also writes the tests of each rule to `.generated/rule-coverage.md`.
 */
const pages = readSpecification();
const tests = globSync(['apps/*/test/**/*.test.ts', 'packages/*/test/**/*.test.ts'], { cwd: root, exclude: ['**/node_modules/**'] });
const citations = tests.toSorted().flatMap((test) => citationsIn(test, readFileSync(root + test, 'utf8')));

const problems = findProblems(pages, endpoints, citations);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
if (!process.argv.includes('--check')) writeUncommitted('rule-coverage.md', coveragePage(pages, citations));
