import type { Example, Input, Records } from './example.ts';

/** The fields one by one, and those that are valid only together as one. */
function partsOf(fields: Input, together: readonly string[] = []): Input[] {
  const all = Object.entries(fields);
  const grouped = all.filter(([field]) => together.includes(field));
  const alone = all.filter(([field]) => !together.includes(field)).map((entry) => Object.fromEntries([entry]));
  return grouped.length > 0 ? [...alone, Object.fromEntries(grouped)] : alone;
}

/** The smallest changes of an update: one for each field, and one for the fields that are valid only together. */
export const smallestChanges = async ({ changes, together }: Example, records: Records): Promise<Input[]> =>
  partsOf((await changes?.(records)) ?? {}, together);

/** The optional fields of a creation, or the filters of a list, one by one. */
export const optionalParts = async ({ optional, together }: Example, records: Records): Promise<Input[]> =>
  partsOf((await optional?.(records)) ?? {}, together);
