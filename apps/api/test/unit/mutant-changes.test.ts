import { expect, test } from 'vitest';
import { applyMutant } from '../../mutants/apply.ts';
import { type Change, dropCondition, remove, removeCall, removeThrow, replace, replaceSql, returns } from '../../mutants/changes.ts';
import { mutant } from '../../mutants/mutant.ts';

const file = 'packages/db/src/scope/example.ts';
const apply = (source: string, change: Change) => applyMutant(new Map([[file, source]]), mutant('A fault', change)).get(file);
/** Defines an SQL function. */
const define = (body: string) => `sql\`create or replace function f() as $$ begin; ${body}; end $$;\`;`;

test.each<[source: string, Change, result: string]>([
  ['const f = async () => { await lock(a); go(); };', removeCall('f', 'lock'), 'const f = async () => { ; go(); };'],
  ['const f = () => (db.all() as Rows)\n.lock(a).go();', removeCall('f', 'lock'), 'const f = () => (db.all() as Rows)\n.go();'],
  ['const f = () => [lock(a), lock(b),];', removeCall('f', 'lock(b)'), 'const f = () => [lock(a)];'],
  ["const f = all().where('a', '=', 1).where('b', '=', 2);", dropCondition('f', 'b'), "const f = all().where('a', '=', 1);"],
  ["const f = and([eb('a', '=', 1), eb('b', '=', 2)]);", dropCondition('f', 'a'), "const f = and([eb('b', '=', 2)]);"],
  ["function f() { if (a) throw new Problem('NO', { b }); }", removeThrow('f', 'NO'), 'function f() { if (a) ; }'],
  ['const f = { a: 1, b: 2 };', remove('f', 'b: _'), 'const f = { a: 1 };'],
  ['const f = (a || b) && c && d;', remove('f', 'a || b'), 'const f =  c && d;'],
  // Layout, comments and types do not count.
  ['const f = a(/* b */ c as D,\n  e!);', replace('f', 'a(c, e)', '1'), 'const f = (1);'],
  ['const f = g(a, b, c);', replace('f', 'g(_first, ..._rest)', '[_first, ..._rest]'), 'const f = ([a, b, c]);'],
  ['const f = [a];', replace('f', '[..._before, a, ..._after]', '[..._before, b, ..._after]'), 'const f = ([ b, ]);'],
  ['class A { async #f() { return go(); } }', returns('A.#f', 'true'), 'class A { async #f() { return (true); } }'],
  ['const f = { a: () => go(), b: () => go() };', returns('f.b', '1'), 'const f = { a: () => go(), b: () => (1) };'],
  ['sql`create table t (a int,\n  b int); drop u`', replaceSql('t', 'a int, b', 'b'), 'sql`create table t (b int); drop u`'],
  // The last definition of an SQL function counts.
  [define('go') + define('go'), replaceSql('f', 'go', 'stop'), define('go') + define('stop')],
])('a mutant changes %s', (source, change, result) => {
  expect(apply(source, change)).toBe(result);
});

test('a mutant of a folder leaves the functions of others alone', () => {
  const sources = new Map(['api/src/a.ts', 'db/src/b.ts'].map((path) => [`packages/${path}`, 'const f = 1;']));
  expect([...applyMutant(sources, mutant('A fault', replace('db/f', '1', '2'))).keys()]).toEqual(['packages/db/src/b.ts']);
  expect(() => applyMutant(sources, mutant('A fault', replace('f', '1', '2')))).toThrow('f: expected one declaration, found 2');
});

test.each<[string, Change]>([
  ['f: expected one declaration, found 0', removeCall('f', 'go')],
  ['replace in a: expected one place, found 0: 3', replace('a', '3', '4')],
  ['replace in a: expected one place, found 2: 1', replace('a', '1', '2')],
  ['replace in b: the result does not differ: go(1)', replace('b', 'go(1)', 'go( 1 ) as Result')],
  ['replace in b: the result has a syntax error', replace('b', 'go(1)', '1 +')],
  ['replace in b: nothing has matched _rest', replace('b', 'go(1)', '_rest')],
  ['remove in b: it is part of a VariableDeclarator', remove('b', 'go(1)')],
  ['returns in a: it is no function', returns('a', '1')],
])('a mutant is rejected: %s', (message, change) => {
  expect(() => apply('const a = [1, 1]; const b = go(1);', change)).toThrow(message);
});
