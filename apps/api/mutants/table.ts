import { mutants } from './list/index.ts';
import { filesOf } from './mutant.ts';

const head = ['What an attacker could do', 'Changed files', 'Detected by'];
const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** The page docs/change/mutants.md: a table of all mutants. */
export function mutantsPage(): string {
  const rows = mutants.map((mutant) => {
    const files = filesOf(mutant).map((file) => `\`${file}\``);
    return [mutant.why, files.join(', '), mutant.test ? `\`${mutant.test}\`` : 'the isolation test'];
  });
  const table = [head, head.map(() => '---'), ...rows].map(line).join('\n');
  return `# Mutants

\`node apps/api/mutants/document.ts\` generates this page. Do not edit it.

A mutant is a change of the source that opens a security hole. It changes two files where either file alone would still prevent the hole.
\`npm run test:mutants\` makes each mutant in a copy of the project, one at a time. A mutant passes if the named test fails on the copy.
[Security](../run/security.md#tests) describes the test.

${table}
`;
}
