import pLimit from 'p-limit';

/** How many items are checked at once. */
const concurrency = 8;

/** Checks every item, a few at once, and returns the problems of all. */
export async function checkEach<Item>(
  items: readonly Item[],
  check: (item: Item, index: number) => Promise<readonly string[]>,
): Promise<string[]> {
  return (await pLimit(concurrency).map(items, check)).flat();
}
