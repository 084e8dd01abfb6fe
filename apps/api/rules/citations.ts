/** A test or an example that cites a rule. */
export interface Citation {
  rule: string;
  /** From the project's root. */
  file: string;
  /** Titles of the groups and of the test, with ` > ` in between, or the part of an example; null if the whole file cites the rule. */
  test: string | null;
}

const comment = /^ *\/\/ Rules: (.*)$/;
const testCall = /^ *(?:test|describe)\b/;
const groupCall = /^ *describe\b/;
/** The parts of an example that the tests over all endpoints prove. */
const examplePart = /^ *(errors|fixed|invalid|lengths|record|returns|unique)[:,(]/;

/**
 * Finds the comments `// Rules: USERS-3, USERS-4`. A comment above a test, or above a part of an example, belongs to it; any other one belongs to the whole
 * file.
 */
export function citationsIn(file: string, source: string): Citation[] {
  const lines = source.split('\n');
  return lines.flatMap((line, index) => {
    const [, ids] = comment.exec(line) ?? [];
    if (ids === undefined) return [];
    const below = lines.findIndex((other, place) => place > index && !/^ *\/\//.test(other));
    const test = testCall.test(lines[below] ?? '')
      ? [...groupsOf(lines, below), below].map((place) => titleOf(lines.slice(place).join('\n'))).join(' > ')
      : (examplePart.exec(lines[below] ?? '')?.[1] ?? null);
    return ids.split(',').map((id) => ({ rule: id.trim(), file, test }));
  });
}

/** Lines of the groups around a line, the outermost first. They have less indentation. */
function groupsOf(lines: readonly string[], line: number): number[] {
  const indentation = lines[line]?.search(/\S/) ?? 0;
  const group = lines.findLastIndex((text, place) => place < line && groupCall.test(text) && text.search(/\S/) < indentation);
  return group === -1 ? [] : [...groupsOf(lines, group), group];
}

/** Title of the test that the source begins with. Tests with parameters have theirs in a second pair of parentheses. */
function titleOf(source: string): string {
  const [head = ''] = source.split('\n');
  const start = /^ *\w+\.(?:\w+\.)*(?:each|for)\b/.test(head) ? /[)`]\(\s*(?=['"`])/ : /\(\s*/;
  const { index = 0, 0: open = '' } = start.exec(source) ?? {};
  const [, , title] = /^(['"`])((?:\\.|(?!\1)[^\\])*)\1/.exec(source.slice(index + open.length)) ?? [];
  return title?.replaceAll(/\\(.)/g, '$1') ?? 'without a fixed title';
}
