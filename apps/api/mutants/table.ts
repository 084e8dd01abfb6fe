import { mutants } from './list/index.ts';
import { namesOf } from './mutant.ts';

const head = ['What an attacker could do', 'Changed code', 'Detected by'];
const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** The page docs/mutants.md: a table of all mutants. */
export function mutantsPage(): string {
  const rows = mutants.map((mutant) => {
    const names = namesOf(mutant).map((name) => `\`${name}\``);
    return [mutant.why, names.join(', '), mutant.test ? `\`${mutant.test}\`` : 'the isolation test'];
  });
  const table = [head, head.map(() => '---'), ...rows].map(line).join('\n');
  return `# Mutants

\`node apps/api/mutants/document.ts\` generates this page. Do not edit it.

A mutant is a change of the source that opens a security hole. It changes two places where either one alone would still prevent the hole.
\`npm run proof -- mutants\` makes each mutant in a copy of the project, one at a time. A mutant passes if the named test fails on the copy.
[Security](security.md#tests) describes the test.

${table}
`;
}
