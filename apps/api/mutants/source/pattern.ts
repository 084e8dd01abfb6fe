import type { Range } from './sql.ts';
import { canonical, fieldsOf, isNode, type Node, parse, unwrap } from './syntax.ts';

/** The code that a change looks for. */
export interface Pattern {
  readonly node: Node;
  readonly isExpression: boolean;
}

/** Parses an expression, a statement, a property or a spread element. Throws if it is none of these. */
export function parsePattern(code: string): Pattern {
  const [statement] = inside(parse(`async () => {${code}\n}`), 'expression', 'body', 'body');
  const [expression] = inside(parse(`(${code}\n)`), 'expression');
  const [property] = inside(parse(`({${code}\n})`), 'expression', 'properties');
  if (expression) return { node: expression, isExpression: true };
  // As a statement, `name: value` is a label.
  const node = statement && statement.type !== 'LabeledStatement' ? statement : property;
  if (!node) throw new Error(`Neither an expression nor a statement nor a property: ${code}`);
  return { node, isExpression: false };
}

/** Follows the fields from the only statement of a program. Returns nothing unless exactly one node is there. */
function inside(program: Node | undefined, ...fields: string[]): Node[] {
  let found = program ? [program['body']].flat() : [];
  for (const field of fields) found = found.flatMap((node) => (node as Node)[field] ?? []);
  return found.length === 1 ? (found as Node[]) : [];
}

/** The ranges of the text that the named wildcards of a pattern have matched. */
export type Captures = Map<string, Range>;

/** Whether a node has the syntax of a pattern. Adds what its wildcards match to the captures. */
export function matches(pattern: unknown, value: unknown, captures: Captures): boolean {
  if (Array.isArray(pattern)) return Array.isArray(value) && matchesList(pattern, value, captures);
  if (!isNode(pattern) || !isNode(value)) return canonical(pattern) === canonical(value);
  const [wanted, node] = [unwrap(pattern), unwrap(value)];
  const wildcard = wildcardOf(wanted);
  if (wildcard !== undefined) return Boolean(captures.set(wildcard, node));
  return wanted.type === node.type && fieldsOf(wanted).every((field) => matches(wanted[field], node[field], captures));
}

function matchesList([first, ...others]: unknown[], values: unknown[], captures: Captures): boolean {
  if (first === undefined) return values.length === 0;
  const rest = isNode(first) && first.type === 'SpreadElement' ? wildcardOf(first['argument'] as Node) : undefined;
  if (rest === undefined) return values.length > 0 && matches(first, values[0], captures) && matchesList(others, values.slice(1), captures);
  return Array.from({ length: values.length + 1 }).some((_, count) => {
    const [start, end] = [values[0], values[count - 1]] as (Node | undefined)[];
    captures.set(`...${rest}`, start && end ? { start: start.start, end: end.end } : { start: 0, end: 0 });
    return matchesList(others, values.slice(count), captures);
  });
}

/** The name of an expression or statement that is only a wildcard. */
function wildcardOf(pattern: Node): string | undefined {
  if (pattern.type === 'ExpressionStatement') return wildcardOf(pattern['expression'] as Node);
  const { name } = pattern as { name?: unknown };
  return pattern.type === 'Identifier' && typeof name === 'string' && name.startsWith('_') ? name : undefined;
}

/** Replaces the names of wildcards by what they have matched in the text. Throws for a name that has matched nothing. */
export const withCaptures = (code: string, captures: Captures, text: string): string =>
  code.replaceAll(/((?:\.\.\.)?\b_\w+)(\s*,)?/g, (_, name: string, comma = '') => {
    const range = captures.get(name);
    if (!range) throw new Error(`nothing has matched ${name}`);
    const matched = text.slice(range.start, range.end);
    return matched && matched + comma;
  });
