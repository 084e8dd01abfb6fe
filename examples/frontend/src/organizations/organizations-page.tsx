import type { Organization } from '@profile-service/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ErrorMessage } from '../components/error-message.tsx';
import { formatTaxId } from '../components/format.ts';
import { Loading } from '../components/loading.tsx';
import { Page } from '../components/page.tsx';
import { SearchField } from '../components/search-field.tsx';
import { useProfile } from '../profile/profile-provider.tsx';
import { useMay } from '../profile/use-may.ts';
import { navigate, useRoute } from '../routing.ts';
import { Pagination } from './pagination.tsx';

const pageSize = 10;

/** The organizations of the active tenant. The route keeps the search and the page, so the browser's back button works. */
export function OrganizationsPage() {
  const { trpc } = useProfile();
  const { search } = useRoute();
  const name = search.get('name') ?? '';
  const page = Number(search.get('page') ?? 1);
  const organizations = useQuery(
    trpc.organizations.list.queryOptions(
      { page, limit: pageSize, ...(name ? { name } : {}) },
      // The rows stay while the next page loads.
      { placeholderData: keepPreviousData },
    ),
  );
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
      <SearchField label="Search by name" value={name} onSearch={(text) => navigate(routeOf(text, 1), { replace: true })} />
      {organizations.isError && <ErrorMessage error={organizations.error} onRetry={() => void organizations.refetch()} />}
      {organizations.isPending && <Loading what="organizations" />}
      {organizations.data && (
        <div aria-busy={organizations.isPlaceholderData}>
          <OrganizationTable organizations={organizations.data.data} />
          <Pagination
            page={organizations.data.currentPage ?? page}
            pageSize={pageSize}
            total={organizations.data.total ?? 0}
            onPage={(next) => navigate(routeOf(name, next))}
          />
        </div>
      )}
    </Page>
  );
}

const routeOf = (name: string, page: number) => `/?${new URLSearchParams({ name, page: String(page) }).toString()}`;

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
