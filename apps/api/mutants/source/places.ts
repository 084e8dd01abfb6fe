import { childrenOf, isWrapper, type Node } from './syntax.ts';

/** A node with the nodes around it, from the outermost to the innermost. */
export interface Place {
  readonly node: Node;
  readonly around: readonly Node[];
}

/** All places in a node where code can be replaced: not the names of declarations, parameters, properties and members. */
export function* placesIn(node: Node, around: readonly Node[] = []): Generator<Place> {
  if (!isWrapper(node)) yield { node, around };
  for (const child of childrenOf(node)) if (!isName(child, node)) yield* placesIn(child, [...around, node]);
}

function isName(child: Node, parent: Node): boolean {
  if (child === parent['id'] || (parent['params'] as unknown[] | undefined)?.includes(child)) return true;
  return !parent['computed'] && (child === parent['key'] || (child === parent['property'] && parent.type === 'MemberExpression'));
}
