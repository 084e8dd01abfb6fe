import { childrenOf, type Node } from './syntax.ts';

const declarations = new Set(['FunctionDeclaration', 'ClassDeclaration', 'VariableDeclarator']);
const members = new Set(['MethodDefinition', 'PropertyDefinition', 'Property']);

/**
 * Finds the declarations of a name at the top level of a module, or of a path to one inside them: `loadUser`, `TokenVerifier.#verify`.
 */
export function declarationsOf(program: Node, path: readonly string[]): Node[] {
  const [first, ...others] = path;
  let found = (program['body'] as Node[]).flatMap(declaredBy).filter((node) => nameOf(node) === first);
  for (const name of others) found = found.flatMap((node) => namedInside(node, name));
  return found;
}

/** The declarations of a statement at the top level. */
function declaredBy(statement: Node): Node[] {
  if (statement.type === 'ExportNamedDeclaration') return statement['declaration'] ? declaredBy(statement['declaration'] as Node) : [];
  return statement.type === 'VariableDeclaration' ? (statement['declarations'] as Node[]) : [statement];
}

/** The declarations and members with this name inside a node. */
const namedInside = (node: Node, name: string): Node[] =>
  childrenOf(node).flatMap((child) => [...(nameOf(child) === name ? [child] : []), ...namedInside(child, name)]);

function nameOf(node: Node): string | undefined {
  if (declarations.has(node.type)) return textOf(node['id'] as Node);
  return members.has(node.type) ? textOf(node['key'] as Node) : undefined;
}

/** The text of a name. Those of private members begin with `#`. */
function textOf({ type, name, value }: Node): string {
  return type === 'PrivateIdentifier' ? `#${String(name)}` : String(name ?? value);
}

/** The body of the function that a declaration names. Undefined if it names none. */
export function functionBodyOf(declaration: Node): Node | undefined {
  const value = (declaration['init'] ?? declaration['value'] ?? declaration) as Node;
  return value['body'] as Node | undefined;
}
