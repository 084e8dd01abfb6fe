import type { Citation } from './citations.ts';
import type { SpecificationPage } from './specification.ts';

const head = `# Rule coverage

The tests that prove each rule of the specification, from the comments \`// Rules: …\` of the tests. \`%s\` and the like stand for the parameters of a test.
`;

/** Makes a page in `.generated`: each rule with the tests that cite it. */
export function coveragePage(pages: SpecificationPage[], citations: Citation[]): string {
  const sections = pages
    .filter(({ rules }) => rules.length > 0)
    .map(({ name, title, rules }) => {
      const items = rules.map((id) => [`- **${id}**`, ...linesOf(id, citations)].join('\n'));
      return `## [${title}](../docs/specification/${name}.md)\n\n${items.join('\n')}\n`;
    });
  return [head, ...sections].join('\n');
}

/** One line for each test. Tests with one title in one file share a line. */
function linesOf(id: string, citations: Citation[]): Set<string> {
  return new Set(citations.filter(({ rule }) => rule === id).map(line));
}

function line({ file, test }: Citation): string {
  const link = `[${file.replace('apps/api/test/', '')}](../${file})`;
  return test === null ? `  - ${link}` : `  - ${link}: ${code(test)}`;
}

/** A code span, also of a text with backticks. */
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
