import { files } from './files.ts';
import { reads } from './reads.ts';
import type { Work } from './work.ts';
import { writes } from './writes.ts';

/** All kinds of requests, in the order of the report. */
export const works: readonly Work[] = [...reads, ...writes, ...files];

export function findWork(name: string): Work {
  const work = works.find((each) => each.name === name);
  if (!work) throw new Error(`There is no work named ${name}`);
  return work;
}
