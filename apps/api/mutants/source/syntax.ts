import { parseSync } from 'rolldown/utils';

/** A node of the ESTree syntax tree with its range in the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Parses TypeScript. Returns undefined if the text has a syntax error. */
export function parse(text: string): Node | undefined {
  const { program, errors } = parseSync('source.ts', text, { preserveParens: false });
  return errors.length > 0 ? undefined : (program as unknown as Node);
}

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Fields without effect at run time, or that only repeat other fields. */
const withoutEffect = new Set([
  'type',
  'start',
  'end',
  'raw',
  'cooked',
  'shorthand',
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
]);

/** The names of the fields that have an effect at run time. */
export const fieldsOf = (node: object): string[] => Object.keys(node).filter((field) => !withoutEffect.has(field));

/** Expressions that have the value of the expression inside. */
const wrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion', 'ChainExpression']);
export const isWrapper = ({ type }: Node): boolean => wrappers.has(type);

/** Returns the expression inside the wrappers. */
export function unwrap(node: Node): Node {
  return isWrapper(node) ? unwrap(node['expression'] as Node) : node;
}

/** The syntax of code without layout, comments and types. White space in strings and templates does not matter either. */
export const canonical = (code: unknown): string =>
  JSON.stringify(code, (_, part: unknown) => {
    if (typeof part === 'bigint') return String(part);
    if (typeof part === 'string') return part.replaceAll(/\s+/g, ' ');
    if (!isNode(part)) return part;
    const node = unwrap(part);
    return Object.fromEntries(['type', ...fieldsOf(node)].map((field) => [field, node[field]]));
  });

/** The nodes directly inside a node, without types. */
export const childrenOf = (node: Node): Node[] =>
  fieldsOf(node)
    .flatMap((field) => [node[field]].flat())
    .filter(isNode);
