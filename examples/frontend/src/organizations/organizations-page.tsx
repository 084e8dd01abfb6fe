import type { Organization } from '@profile-service/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ErrorMessage } from '../components/error-message.tsx';
import { formatTaxId } from '../components/format.ts';
import { Loading } from '../components/loading.tsx';
import { Page } from '../components/page.tsx';
import { SearchField } from '../components/search-field.tsx';
import { useProfile } from '../profile/profile-provider.tsx';
import { useMay } from '../profile/use-may.ts';
import { navigate, useRoute } from '../routing.ts';
import { MoreButton } from './more-button.tsx';

const pageSize = 20;

/** The organizations of the active tenant, by name. Scrolling loads further ones. The route keeps the search, so a reload of the page does too. */
export function OrganizationsPage() {
  const { trpc } = useProfile();
  const { search } = useRoute();
  const name = search.get('name') ?? '';
  const organizations = useInfiniteQuery(
    trpc.organizations.list.infiniteQueryOptions(
      { limit: pageSize, sort: ['name'], ...(name ? { name } : {}) },
      // The rows stay while another search loads.
      { initialCursor: '*', getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
    ),
  );
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = organizations;
  const rows = data?.pages.flatMap((page) => page.data);
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const mayCreate = useMay('create', 'organizations');
  return (
    <Page
      title="Organizations"
      actions={
        mayCreate && (
          <a className="button primary" href="#/organizations/new">
            New organization
          </a>
        )
      }
    >
      <SearchField label="Search by name" value={name} onSearch={(text) => navigate(routeOf(text), { replace: true })} />
      {organizations.isError && (
        <ErrorMessage error={organizations.error} onRetry={() => void (data ? fetchNextPage() : organizations.refetch())} />
      )}
      {organizations.isPending && <Loading what="organizations" />}
      {rows && (
        <div aria-busy={organizations.isPlaceholderData || isFetchingNextPage}>
          <OrganizationTable organizations={rows} />
          <nav className="pagination" aria-label="Pages">
            <output>{hasNextPage ? `The first ${rows.length} organizations` : `${rows.length} organizations`}</output>
            {hasNextPage && !organizations.isError && <MoreButton isLoading={isFetchingNextPage} onMore={loadMore} />}
          </nav>
        </div>
      )}
    </Page>
  );
}

const routeOf = (name: string) => `/?${new URLSearchParams({ name }).toString()}`;

function OrganizationTable({ organizations }: { organizations: Organization[] }) {
  if (organizations.length === 0) return <p className="empty">No organization found.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Trade name</th>
          <th scope="col">Tax id</th>
        </tr>
      </thead>
      <tbody>
        {organizations.map(({ id, name, alias, federalTaxId }) => (
          <tr key={id}>
            <th scope="row">
              <a href={`#/organizations/${id}`}>{name}</a>
            </th>
            <td>{alias}</td>
            <td className="number">{formatTaxId(federalTaxId)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
