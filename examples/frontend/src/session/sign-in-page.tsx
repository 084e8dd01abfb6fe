import { useAuth } from 'react-oidc-context';
import { Page } from '../components/page.tsx';

/** What a visitor sees who has not signed in. */
export function SignInPage() {
  const { error, signinRedirect } = useAuth();
  return (
    <main className="sign-in">
      <div className="card">
        <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" />
        <Page title="Organizations">
          <p>The organizations of your tenant: their details, every address that they have had, and their files.</p>
          {error && (
            <p className="notice error" role="alert">
              You are not signed in: {error.message}
            </p>
          )}
          <button type="button" className="primary" onClick={() => void signinRedirect({ state: location.hash })}>
            Sign in
          </button>
          <p className="hint">You sign in at the identity provider. This page never sees your password.</p>
        </Page>
      </div>
    </main>
  );
}
