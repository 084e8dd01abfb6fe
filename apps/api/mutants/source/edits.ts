import type { CodeChange } from '../changes.ts';
import { functionBodyOf } from './declarations.ts';
import { type Captures, matches, parsePattern, withCaptures } from './pattern.ts';
import { placesIn } from './places.ts';
import { type Edit, removalOf } from './removal.ts';
import type { Found } from './sources.ts';
import type { Node } from './syntax.ts';

/** What the kinds of changes that remove code look for. */
const removed = { remove: isCode, removeCall: isCallOf, dropCondition: isConditionOn, removeThrow: isThrowOf };

/** Returns an edit for each place in a declaration that fits a change of TypeScript. */
export function editsOf({ kind, find, by }: CodeChange, { found: declaration, text }: Found<Node>): Edit[] {
  if (kind === 'returns') return [returnValue(declaration, by)];
  if (kind === 'replace') return replacements(declaration, find, by, text);
  const isRemoved = removed[kind](find);
  return distinct([...placesIn(declaration)].filter(({ node }) => isRemoved(node)).map((place) => removalOf(place, text)));
}

function returnValue(declaration: Node, value: string): Edit {
  const body = functionBodyOf(declaration);
  if (!body) throw new Error('it is no function');
  return { start: body.start, end: body.end, by: body.type === 'BlockStatement' ? `{ return (${value}); }` : `(${value})` };
}

function replacements(declaration: Node, find: string, by: string, text: string): Edit[] {
  const { node: pattern, isExpression } = parsePattern(find);
  const edits = [...placesIn(declaration)].flatMap(({ node }) => {
    const captures: Captures = new Map();
    if (!matches(pattern, node, captures)) return [];
    const code = withCaptures(by, captures, text);
    return [{ start: node.start, end: node.end, by: isExpression ? `(${code})` : code }];
  });
  return distinct(edits);
}

function isCode(code: string): (node: Node) => boolean {
  const { node: pattern } = parsePattern(code);
  return (node) => matches(pattern, node, new Map());
}

/** @param code the function, or a call of it with its arguments */
function isCallOf(code: string): (node: Node) => boolean {
  const { node: pattern } = parsePattern(code);
  const callee = pattern.type === 'CallExpression' ? pattern['callee'] : pattern;
  return (node) => {
    if (node.type !== 'CallExpression') return false;
    const called = node['callee'] as Node;
    if (pattern.type === 'CallExpression' && !matches(pattern['arguments'], node['arguments'], new Map())) return false;
    return matches(callee, called, new Map()) || (called.type === 'MemberExpression' && matches(callee, called['property'], new Map()));
  };
}

/** A condition has the column, an operator and a value. */
function isConditionOn(column: string): (node: Node) => boolean {
  return ({ type, arguments: given }) =>
    type === 'CallExpression' && (given as Node[]).length === 3 && (given as Node[])[0]?.['value'] === column;
}

function isThrowOf(code: string): (node: Node) => boolean {
  return (node) =>
    node.type === 'ThrowStatement' && [...placesIn(node)].some(({ node: { type, value } }) => type === 'Literal' && value === code);
}

/** A node and the node around it can have the same range. */
const distinct = (edits: Edit[]): Edit[] => [...new Map(edits.map((edit) => [`${edit.start}-${edit.end}`, edit])).values()];
