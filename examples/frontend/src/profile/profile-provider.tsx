import { createProfileClient, type ProfileClient, type ProfileRouter } from '@profile-service/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient } from '@trpc/client';
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { getAccessToken } from '../session/user-manager.ts';
import { subscriptionLink } from './subscription-link.ts';

interface Profile {
  /** The typed client, for calls without a cache: `profile.attachments.upload(file)`. */
  profile: ProfileClient;
  /** Options for TanStack Query: `useQuery(trpc.organizations.get.queryOptions({ id }))`. */
  trpc: TRPCOptionsProxy<ProfileRouter>;
  /** Options for the stream of events: `useSubscription(events.stream.subscriptionOptions())`. */
  events: TRPCOptionsProxy<ProfileRouter>['events'];
}

const ProfileContext = createContext<Profile | undefined>(undefined);

/**
 * Provides a client that works in one tenant, and a query cache of its own. Give it a `key` with the tenant: React then creates both anew when the tenant
 * changes, so no data of one tenant is shown or cached in another one, also not by a response that arrives late.
 */
export function ProfileProvider({ tenantId, children }: { tenantId?: string; children: ReactNode }) {
  const [profile] = useState(() => createProfile(tenantId));
  return (
    <QueryClientProvider client={profile.queryClient}>
      <ProfileContext value={profile}>{children}</ProfileContext>
    </QueryClientProvider>
  );
}

function createProfile(tenantId: string | undefined): Profile & { queryClient: QueryClient } {
  const profile = createProfileClient({ url: import.meta.env.VITE_PROFILE_URL, token: getAccessToken, tenantId });
  // The client repeats what is safe to repeat, so the cache does not.
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 10_000 } } });
  const subscriptions = createTRPCClient<ProfileRouter>({ links: [subscriptionLink(tenantId)] });
  const trpc = createTRPCOptionsProxy<ProfileRouter>({ client: profile, queryClient });
  const { events } = createTRPCOptionsProxy<ProfileRouter>({ client: subscriptions, queryClient });
  return { profile, queryClient, trpc, events };
}

/** Returns the client of the active tenant. */
export function useProfile(): Profile {
  const value = useContext(ProfileContext);
  if (!value) throw new Error('useProfile needs a ProfileProvider above it.');
  return value;
}
