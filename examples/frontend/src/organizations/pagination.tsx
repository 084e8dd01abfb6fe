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
          <PageButton page={page - 1} isDisabled={page === 1} onPage={onPage}>
            Previous
          </PageButton>
          <PageButton page={page + 1} isDisabled={last >= total} onPage={onPage}>
            Next
          </PageButton>
        </>
      )}
    </nav>
  );
}

interface PageButtonProps extends Pick<PaginationProps, 'page' | 'onPage'> {
  isDisabled: boolean;
  children: string;
}

/** Keeps the focus when it has led to the first or the last page, which `disabled` would not. */
function PageButton({ page, isDisabled, onPage, children }: PageButtonProps) {
  return (
    <button type="button" aria-disabled={isDisabled} onClick={() => !isDisabled && onPage(page)}>
      {children}
    </button>
  );
}
