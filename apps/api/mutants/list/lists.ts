import { remove, replace } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const walks = 'apps/api/test/resources/list-walks.test.ts';
const filters = 'apps/api/test/resources/lists.test.ts';

/** Sort, cursors and filters of lists. */
export const lists: readonly Mutant[] = [
  mutant('A descending list begins with null', replace('order/orderBy', "'desc nulls last'", "'desc'"), walks),
  mutant(
    'A list by cursors leaves out the records with null',
    replace('order/lexicographic', 'hasNulls ? _later : isBeyond', 'isBeyond'),
    walks,
  ),
  mutant('The id does not break ties', remove('order/directionsOf', 'if (!fields.some(_isKey)) fields.push(_key);'), walks),
  mutant('A field is accepted twice in a sort', replace('hasNoFieldTwice', '_size === sort.length', 'true'), walks),
  mutant(
    'A persona in another tenant matches',
    replace('users/listUsers', 'ofMembership(_column, _equals, persona)', 'ofMembership.lit(true)'),
    filters,
  ),
];
