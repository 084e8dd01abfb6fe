import type { Place } from './places.ts';
import type { Range } from './sql.ts';
import { isWrapper, type Node, unwrap } from './syntax.ts';

/** A replacement of a range of a text. */
export interface Edit extends Range {
  readonly by: string;
}

/**
 * Removes the code at a place: a call of a method of what another call returns, a statement, an element of a list, a property, or an operand of `&&` or `||`.
 * Throws for any other place.
 */
export function removalOf({ node, around }: Place, text: string): Edit {
  const parent = around.at(-1);
  if (isChained(node)) return { start: text.lastIndexOf('.', methodOf(node).start), end: node.end, by: '' };
  if (node.type.endsWith('Statement')) return { start: node.start, end: node.end, by: ';' };
  if (!parent) throw new Error('the whole declaration cannot be removed');
  if (isWrapper(parent) || parent.type === 'AwaitExpression' || parent.type === 'ExpressionStatement')
    return removalOf({ node: parent, around: around.slice(0, -1) }, text);
  if (parent.type === 'LogicalExpression') return operandRemoval(node, parent, text);
  const lists = [parent['elements'], parent['arguments'], parent['properties']] as (readonly Node[] | undefined)[];
  const list = lists.find((nodes) => nodes?.includes(node));
  if (!list) throw new Error(`it is part of a ${parent.type}, from which nothing can be removed`);
  return elementRemoval(node, list, text);
}

/** Whether a node is a call of a method of what another call returns. */
function isChained({ type, callee }: Node): boolean {
  if (type !== 'CallExpression') return false;
  const object = (callee as Node)['object'] as Node | undefined;
  return object !== undefined && unwrap(object).type === 'CallExpression';
}

const methodOf = ({ callee }: Node): Node => (callee as Node)['property'] as Node;

function operandRemoval(operand: Node, logical: Node, text: string): Edit {
  const { left, operator } = logical as Node & { left: Node; operator: string };
  const at = text.indexOf(operator, left.end);
  const range = operand === left ? { start: logical.start, end: at + operator.length } : { start: at, end: logical.end };
  return { ...range, by: '' };
}

/** Removes an element with its comma. */
function elementRemoval(element: Node, list: readonly Node[], text: string): Edit {
  const at = list.indexOf(element);
  const next = list[at + 1];
  if (next) return { start: element.start, end: next.start, by: '' };
  const comma = /^\s*,/.exec(text.slice(element.end))?.[0] ?? '';
  return { start: list[at - 1]?.end ?? element.start, end: element.end + comma.length, by: '' };
}
