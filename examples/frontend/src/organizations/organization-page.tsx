import { useQuery } from '@tanstack/react-query';
import { AddressHistory } from '../addresses/address-history.tsx';
import { ErrorMessage } from '../components/error-message.tsx';
import { Loading } from '../components/loading.tsx';
import { Page } from '../components/page.tsx';
import { Files } from '../files/files.tsx';
import { useProfile } from '../profile/profile-provider.tsx';
import { OrganizationDetails } from './organization-details.tsx';

/** One organization: its details, its addresses and its files. */
export function OrganizationPage({ id }: { id: string }) {
  const { trpc } = useProfile();
  const organization = useQuery(trpc.organizations.get.queryOptions({ id }));
  return (
    <>
      <nav aria-label="Breadcrumb">
        <a href="#/">All organizations</a>
      </nav>
      <Page title={organization.data?.name ?? 'Organization'} isLoading={organization.isPending}>
        {organization.isPending && <Loading what="the organization" />}
        {organization.isError && <ErrorMessage error={organization.error} onRetry={() => void organization.refetch()} />}
        {organization.data && (
          <div className="columns">
            <OrganizationDetails organization={organization.data} />
            <AddressHistory organizationId={id} />
            <Files organizationId={id} />
          </div>
        )}
      </Page>
    </>
  );
}
