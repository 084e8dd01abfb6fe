import { useQueries } from '@tanstack/react-query';
import { ErrorMessage } from '../components/error-message.tsx';
import { LoadingPage } from '../components/loading.tsx';
import { Page } from '../components/page.tsx';
import { LiveUpdates } from '../profile/live-updates.tsx';
import { ProfileProvider, useProfile } from '../profile/profile-provider.tsx';
import { navigate } from '../routing.ts';
import { Routes } from '../routes.tsx';
import { Header } from './header.tsx';
import { useStoredTenant } from './stored-tenant.ts';

const allTenants = { id: '', name: 'All tenants' };

/** Everything that a signed-in user sees. The pages work in the active tenant. */
export function Workspace() {
  const { trpc } = useProfile();
  const [permissions, memberships] = useQueries({ queries: [trpc.me.permissions.queryOptions(), trpc.me.tenants.queryOptions()] });
  const [stored, store] = useStoredTenant(permissions.data?.userId);
  const failed = [permissions, memberships].find(({ isLoadingError }) => isLoadingError);
  if (failed) {
    return (
      <Shell>
        <Page title="Organizations">
          <ErrorMessage error={failed.error} onRetry={() => void Promise.all([permissions.refetch(), memberships.refetch()])} />
        </Page>
      </Shell>
    );
  }
  if (!permissions.data || !memberships.data) return <LoadingPage what="your tenants" />;

  // A Global user may work without a tenant. All others need one.
  const tenants = permissions.data.type === 'Global' ? [allTenants, ...memberships.data.data] : memberships.data.data;
  const active = tenants.find(({ id }) => id === stored) ?? tenants[0];
  const switchTenant = (id: string) => {
    store(id);
    navigate('/');
  };
  return (
    <Shell name={permissions.data.name} tenants={tenants} activeTenant={active?.id} onSwitchTenant={switchTenant}>
      {active ? (
        <ProfileProvider key={active.id} tenantId={active.id}>
          <LiveUpdates />
          <Routes />
        </ProfileProvider>
      ) : (
        <Page title="No tenant">
          <p>You are not a member of a tenant. Ask an administrator to add you to one.</p>
        </Page>
      )}
    </Shell>
  );
}

function Shell({ children, ...header }: React.ComponentProps<typeof Header> & { children: React.ReactNode }) {
  return (
    <>
      <Header {...header} />
      <main>{children}</main>
    </>
  );
}
