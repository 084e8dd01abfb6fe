import { filteredPlaces } from '../data/names.ts';
import { asGlobal, asLargestAdmin, asOnePageAdmin } from './callers.ts';
import type { Work } from './work.ts';

const read = { method: 'GET' } as const;
const list = { status: 200, onFloor: false, different: 1 } as const;
const organizations = '/api/organizations';
const named = `${organizations}?name=${filteredPlaces.largest.filter}&limit=50`;

/** Lists whose duration is compared between the small and the large database. */
export const growthLists = [
  {
    ...list,
    name: 'list of a tenant with 20 organizations',
    request: (world) => ({ ...read, ...asOnePageAdmin(world), path: organizations }),
  },
  { ...list, name: 'list of the largest tenant', request: (world) => ({ ...read, ...asLargestAdmin(world), path: organizations }) },
  { ...list, name: 'name filter in the largest tenant', request: (world) => ({ ...read, ...asLargestAdmin(world), path: named }) },
  { ...list, name: 'unscoped name filter', request: (world) => ({ ...read, ...asGlobal(world), path: named }) },
  {
    ...list,
    name: 'page 1,000 of the unscoped list',
    request: (world) => ({ ...read, ...asGlobal(world), path: `${organizations}?page=1000` }),
  },
] satisfies Work[];
