import { Page } from './components/page.tsx';
import { NewOrganizationPage } from './organizations/new-organization-page.tsx';
import { OrganizationPage } from './organizations/organization-page.tsx';
import { OrganizationsPage } from './organizations/organizations-page.tsx';
import { useRoute } from './routing.ts';

/** Shows the page of the current route. */
export function Routes() {
  const { path } = useRoute();
  if (path === '/') return <OrganizationsPage />;
  if (path === '/organizations/new') return <NewOrganizationPage />;
  const [, id] = /^\/organizations\/([^/]+)$/.exec(path) ?? [];
  if (id) return <OrganizationPage key={id} id={id} />;
  return (
    <Page title="Page not found">
      <a href="#/">All organizations</a>
    </Page>
  );
}
