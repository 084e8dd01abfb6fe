interface PaginationProps {
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

/** Says which records are shown and how many there are, and leads to the other pages. */
export function Pagination({ page, pageSize, total, onPage }: PaginationProps) {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return (
    <nav className="pagination" aria-label="Pages">
      <output>{total === 0 ? '0 organizations' : `${first}–${last} of ${total} organizations`}</output>
      {total > pageSize && (
        <>
          <button type="button" disabled={page === 1} onClick={() => onPage(page - 1)}>
            Previous
          </button>
          <button type="button" disabled={last >= total} onClick={() => onPage(page + 1)}>
            Next
          </button>
        </>
      )}
    </nav>
  );
}
