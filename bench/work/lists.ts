import { createHash } from 'node:crypto';
import { createdAt, idOf } from '../data/ids.ts';
import { sizes } from '../data/size.ts';
import { asGlobal, asTenThousandAdmin } from './callers.ts';
import type { HttpRequest } from './encode.ts';
import type { Work } from './work.ts';
import type { World } from './world.ts';

/** The cursor after the organization that is this far from the newest, in the order of the list. The service makes the same one. */
function cursorAfter({ size }: World, position: number): string {
  const { organizations } = sizes[size];
  const filters = createHash('sha256')
    .update(JSON.stringify([['sort', ['-id']]]))
    .digest('base64url')
    .slice(0, 16);
  const after = [idOf('organization', Math.max(0, organizations - position), organizations)];
  return Buffer.from(JSON.stringify({ after, filters })).toString('base64url');
}

/** Shortly before the last hundred organizations were created or changed. */
const lastChanges = ({ size }: World): string => createdAt(sizes[size].organizations - 100, sizes[size].organizations).toISOString();

const list = (
  name: string,
  query: string | ((world: World) => string),
  caller: (world: World) => Partial<HttpRequest> & Pick<HttpRequest, 'token'> = asTenThousandAdmin,
): Work => ({
  name,
  status: 200,
  onFloor: false,
  different: 1,
  request: (world) => ({
    ...caller(world),
    method: 'GET',
    path: `/api/organizations?${typeof query === 'string' ? query : query(world)}`,
  }),
});

/** Sorted, filtered and continued lists. */
export const lists: readonly Work[] = [
  list('first page by cursor, unscoped', 'cursor=*', asGlobal),
  list('page 1,000 by cursor, unscoped', (world) => `cursor=${cursorAfter(world, 20_000)}`, asGlobal),
  list('page of a tenant', ''),
  list('first page by cursor', 'cursor=*'),
  list('sorted by name', 'cursor=*&sort=name'),
  list('sorted by name, unscoped', 'cursor=*&sort=name', asGlobal),
  list('changed since', (world) => `cursor=*&updatedSince=${lastChanges(world)}`),
  list('changed since, unscoped', (world) => `cursor=*&updatedSince=${lastChanges(world)}`, asGlobal),
  list('two filters', 'cursor=*&active=true&stateCode=35'),
  list('two filters, with the total', 'active=true&listed=false'),
];
