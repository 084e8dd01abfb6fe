/** A test that cites a rule. */
export interface Citation {
  rule: string;
  /** Test file, from the project's root. */
  file: string;
  /** Title of the test or of the group of tests; null if the whole file cites the rule. */
  test: string | null;
}

const comment = /^ *\/\/ Rules: (.*)$/;
const testCall = /^ *(?:test|describe)\b/;

/** Finds the comments `// Rules: USERS-3, USERS-4`. A comment above a test belongs to it, any other one to the whole file. */
export function citationsIn(file: string, source: string): Citation[] {
  const lines = source.split('\n');
  return lines.flatMap((line, index) => {
    const [, ids] = comment.exec(line) ?? [];
    if (ids === undefined) return [];
    const below = lines.findIndex((other, place) => place > index && !/^ *\/\//.test(other));
    const test = testCall.test(lines[below] ?? '') ? titleOf(lines.slice(below).join('\n')) : null;
    return ids.split(',').map((id) => ({ rule: id.trim(), file, test }));
  });
}

/** Title of the test that the source begins with. Tests with parameters have theirs in a second pair of parentheses. */
function titleOf(source: string): string {
  const [head = ''] = source.split('\n');
  const start = /^ *\w+\.(?:\w+\.)*(?:each|for)\b/.test(head) ? /[)`]\(\s*(?=['"`])/ : /\(\s*/;
  const { index = 0, 0: open = '' } = start.exec(source) ?? {};
  const [, , title] = /^(['"`])((?:\\.|(?!\1)[^\\])*)\1/.exec(source.slice(index + open.length)) ?? [];
  return title?.replaceAll(/\\(.)/g, '$1') ?? 'without a fixed title';
}
