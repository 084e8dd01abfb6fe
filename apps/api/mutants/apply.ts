import type { Change } from './changes.ts';
import type { Mutant } from './mutant.ts';
import { editsOf } from './source/edits.ts';
import { findDeclaration, findSqlDefinition, type Sources } from './source/sources.ts';
import { findSql } from './source/sql.ts';
import { canonical, parse } from './source/syntax.ts';

/** Applies the changes of a mutant. Returns the new texts of the files that it changes. Throws unless each change fits exactly one place and has an effect. */
export function applyMutant(sources: Sources, { changes }: Mutant): Sources {
  const changed = new Map<string, string>();
  for (const change of changes) {
    const [file, text] = applyChange(new Map([...sources, ...changed]), change);
    changed.set(file, text);
  }
  return changed;
}

function applyChange(sources: Sources, change: Change): [file: string, text: string] {
  const { kind, name, find, by } = change;
  const fault = (problem: string) => new Error(`${kind} in ${name}: ${problem}: ${find || by}`);
  const { file, text, edits } = findEdits(sources, change, fault);
  const [edit] = edits;
  if (!edit || edits.length > 1) throw fault(`expected one place, found ${edits.length}`);
  const result = text.slice(0, edit.start) + edit.by + text.slice(edit.end);
  const [before, after] = [parse(text), parse(result)];
  if (!after) throw fault(`the result has a syntax error (${JSON.stringify(edit.by)})`);
  if (canonical(before) === canonical(after)) throw fault('the result does not differ');
  return [file, result];
}

/** The edits for the places that a change fits. @param fault creates the error of a change that fits none */
function findEdits(sources: Sources, change: Change, fault: (problem: string) => Error) {
  if (change.kind === 'replaceSql') {
    const { file, text, found } = findSqlDefinition(sources, change.name);
    return { file, text, edits: findSql(text, found, change.find).map((range) => ({ ...range, by: change.by })) };
  }
  const declaration = findDeclaration(sources, change.name);
  try {
    return { ...declaration, edits: editsOf(change, declaration) };
  } catch (error) {
    throw fault((error as Error).message);
  }
}
