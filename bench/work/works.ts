import { features } from './features.ts';
import { files } from './files.ts';
import { growthLists } from './growth.ts';
import { reads } from './reads.ts';
import { lists } from './lists.ts';
import type { Work } from './work.ts';
import { writes } from './writes.ts';

const all: readonly Work[] = [...reads, ...writes, ...features, ...files, ...growthLists, ...lists];

export function findWork(name: string): Work {
  const work = all.find((each) => each.name === name);
  if (!work) throw new Error(`There is no work named ${name}`);
  return work;
}
