interface Page<Item> {
  data: Item[];
  total: number;
  totalPages: number;
}

/** The records of a list, some of them perhaps twice. Skips no record that is there from beginning to end. */
export async function* allPages<Item>(list: (input: { page: number; limit: number }) => Promise<Page<Item>>): AsyncGenerator<Item> {
  let page = 1;
  let expected = 0;
  for (;;) {
    const { data, total, totalPages } = await list({ page, limit: 100 });
    yield* data;
    // A deletion moves later records to earlier pages: one of them may have moved to a page that was read already.
    const hasShrunk = total < expected;
    expected = total;
    if (!hasShrunk && page >= totalPages) return;
    page = hasShrunk ? 1 : page + 1;
  }
}
