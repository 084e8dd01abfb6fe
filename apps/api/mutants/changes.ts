/**
 * A change of one function, constant, class member, or SQL function, trigger or table. It names no file, and does not depend on the layout of the code, on
 * comments or on types.
 *
 * `name` is that of a declaration at the top level of a module, or a path to one inside it: `loadUser`, `TokenVerifier.#verify`, `scopedTables.deleteFrom`. A
 * folder or module before a slash tells declarations with the same name apart: `auth/findUser`.
 *
 * The code to find is an expression, a statement, a property or a spread element. In it, `_` and names such as `_id` match anything, `..._` and `..._rest` any
 * number of elements. It has to match exactly one place.
 */
export type Change = CodeChange | ChangeOf<'replaceSql'>;
/** A change of TypeScript. */
export type CodeChange = ChangeOf<'removeCall' | 'dropCondition' | 'removeThrow' | 'remove' | 'replace' | 'returns'>;

interface ChangeOf<Kind> {
  readonly kind: Kind;
  readonly name: string;
  /** What the change looks for. Empty for `returns`. */
  readonly find: string;
  /** What the change writes instead. Empty if it only removes. */
  readonly by: string;
}

/** Removes the call of a function or method, or of one with these arguments: `lockUser`, `this.#loads.clear`, `forShare('organizations')`. */
export const removeCall = (name: string, call: string): Change => ({ kind: 'removeCall', name, find: call, by: '' });

/** Removes the condition on a column from a query: `.where(column, '=', value)` or `eb(column, '=', value)`. */
export const dropCondition = (name: string, column: string): Change => ({ kind: 'dropCondition', name, find: column, by: '' });

/** Removes the statement that throws the error with this code. */
export const removeThrow = (name: string, code: string): Change => ({ kind: 'removeThrow', name, find: code, by: '' });

/** Removes a statement, an element of a list, a property, or an operand of `&&` or `||`. */
export const remove = (name: string, code: string): Change => ({ kind: 'remove', name, find: code, by: '' });

/** Replaces code. The new code may repeat what a name such as `_rest` has matched. */
export const replace = (name: string, code: string, by: string): Change => ({ kind: 'replace', name, find: code, by });

/** Makes a function return a value and do nothing else. */
export const returns = (name: string, value: string): Change => ({ kind: 'returns', name, find: '', by: value });

/** Replaces a text in the statement that creates an SQL function, trigger or table. White space does not matter. */
export const replaceSql = (name: string, text: string, by: string): Change => ({ kind: 'replaceSql', name, find: text, by });
