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
  // Its own renewals would run beside those of getAccessToken, with the same refresh token. Some providers accept a refresh token only once.
  automaticSilentRenew: false,
});

// The next request tries again if this renewal fails.
userManager.events.addAccessTokenExpiring(() => void renew().catch(() => undefined));

/** Removes the authorization code from the address, and opens the route that the sign-in page gave as `state`. */
export function onSigninCallback(user: User | undefined): void {
  history.replaceState(null, '', location.pathname + (typeof user?.state === 'string' ? user.state : ''));
}

/**
 * Returns the access token. Renews it first if it has expired, such as after the computer was asleep, or if the service has rejected it.
 * @throws if it cannot be renewed
 */
export async function getAccessToken({ rejected }: TokenRequest): Promise<string | undefined> {
  const user = await userManager.getUser();
  if (!user) return undefined;
  if (!user.expired && user.access_token !== rejected) return user.access_token;
  return (await renew())?.access_token;
}

let renewal: Promise<User | null> | undefined;

/** Renews the session. Calls during a renewal wait for it. */
function renew(): Promise<User | null> {
  renewal ??= requestRenewal().finally(() => (renewal = undefined));
  return renewal;
}

/** Renews the session, or ends it if the identity provider refuses, which shows the sign-in page. Without a response, the session stays. */
async function requestRenewal(): Promise<User | null> {
  const sent = await userManager.getUser();
  try {
    return await userManager.signinSilent();
  } catch (error) {
    const stored = await userManager.getUser();
    // Another renewal has succeeded meanwhile, such as one of another window if the session is in localStorage.
    if (stored && stored.refresh_token !== sent?.refresh_token) return stored;
    if (error instanceof ErrorResponse) await userManager.removeUser();
    throw error;
  }
}
