import type { ProfileRouter, TokenRequest } from '@profile-service/client';
import { httpSubscriptionLink } from '@trpc/client';
import { EventSource, type FetchLike } from 'eventsource';
import { getAccessToken } from '../session/user-manager.ts';

/** Creates a link for the subscriptions of a tenant. It uses the package `eventsource`, because the browser's own `EventSource` sends no headers. */
export const subscriptionLink = (tenantId: string | undefined) =>
  httpSubscriptionLink<ProfileRouter, typeof EventSource>({
    url: `${import.meta.env.VITE_PROFILE_URL}/trpc`,
    EventSource,
    eventSourceOptions: { fetch: fetchAs(tenantId) },
  });

/** Is called each time the stream connects, so each connection has a current token. */
const fetchAs =
  (tenantId: string | undefined): FetchLike =>
  async (url, init) => {
    let token: string | undefined;
    const connect = async (request: TokenRequest) => {
      token = await getAccessToken(request);
      const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}` }), ...(tenantId && { 'x-tenant-id': tenantId }) };
      return fetch(url, { ...init, headers });
    };
    const response = await connect({});
    // A stream has the status 200 also if its only message is an error. This header comes with 401.
    return token && response.headers.has('www-authenticate') ? connect({ rejected: token }) : response;
  };
