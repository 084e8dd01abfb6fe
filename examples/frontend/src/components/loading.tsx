import { Page } from './page.tsx';

/** Says what is being loaded. */
export function Loading({ what }: { what: string }) {
  return <output className="loading">Loading {what}…</output>;
}

/** A page that shows only what is being loaded. */
export function LoadingPage({ what }: { what: string }) {
  return (
    <main>
      <Page title="Organizations" isLoading>
        <Loading what={what} />
      </Page>
    </main>
  );
}
