import { useAuth } from 'react-oidc-context';
import { LoadingPage } from './components/loading.tsx';
import { ProfileProvider } from './profile/profile-provider.tsx';
import { SignInPage } from './session/sign-in-page.tsx';
import { Workspace } from './session/workspace.tsx';

/** Shows the sign-in page, or the workspace of the signed-in user. */
export function App() {
  const { isLoading, user } = useAuth();
  if (isLoading) return <LoadingPage what="your session" />;
  // A user whose token has expired stays: the next request renews it.
  if (!user) return <SignInPage />;
  return (
    <ProfileProvider key={user.profile.sub}>
      <Workspace />
    </ProfileProvider>
  );
}
