import type { TokenRequest } from '@profile-service/client';
import { ErrorResponse, type User, UserManager } from 'oidc-client-ts';

const pageUrl = location.origin + import.meta.env.BASE_URL;

/** Signs in with authorization code and PKCE. The session is kept in sessionStorage, so a reload keeps it. */
export const userManager = new UserManager({
  authority: import.meta.env.VITE_REALM_URL,
  client_id: import.meta.env.VITE_CLIENT_ID,
  redirect_uri: pageUrl,
  post_logout_redirect_uri: pageUrl,
  scope: 'openid',
});

userManager.events.addSilentRenewError(endRefusedSession);

/** Removes the authorization code from the address, and opens the route that the sign-in page gave as `state`. */
export function onSigninCallback(user: User | undefined): void {
  history.replaceState(null, '', location.pathname + (typeof user?.state === 'string' ? user.state : ''));
}

let renewal: Promise<User | null> | undefined;

/**
 * Returns the access token. Renews it first if it has expired, such as after the computer was asleep, or if the service has rejected it.
 * @throws if it cannot be renewed
 */
export async function getAccessToken({ rejected }: TokenRequest): Promise<string | undefined> {
  const user = await userManager.getUser();
  if (!user) return undefined;
  if (!user.expired && user.access_token !== rejected) return user.access_token;
  renewal ??= userManager
    .signinSilent()
    .catch(async (error: unknown) => {
      await endRefusedSession(error);
      throw error;
    })
    .finally(() => (renewal = undefined));
  return (await renewal)?.access_token;
}

/** Shows the sign-in page if the identity provider has refused to renew the session. Without a response, the next request tries again. */
async function endRefusedSession(error: unknown): Promise<void> {
  if (error instanceof ErrorResponse) await userManager.removeUser();
}
