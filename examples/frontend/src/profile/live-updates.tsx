import { type QueryFilters, useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useProfile } from './profile-provider.tsx';
import { useMay } from './use-may.ts';

/** Milliseconds from a change to the reload. Changes in this time cause one reload. */
const reloadDelay = 100;
/** Milliseconds from a failure of the subscription to the next one. */
const retryDelay = 5_000;

/**
 * Reloads organizations on the page when somebody changes them, and shows whether it does. Shows nothing to users who may not read events: for them, the page
 * works without.
 */
export function LiveUpdates() {
  const { events, trpc } = useProfile();
  const enabled = useMay('read', 'events');
  const reload = useReload();
  const [hasAttempted, setHasAttempted] = useState(false);
  const { status, error, reset } = useSubscription(
    events.stream.subscriptionOptions(
      { types: ['organization.*', 'organizationLink.*'] },
      {
        enabled,
        onData({ data: { organizationId } }) {
          reload(trpc.organizations.list.pathFilter());
          if (organizationId) reload(trpc.organizations.get.queryFilter({ id: organizationId }));
        },
      },
    ),
  );
  const isLive = status === 'pending';
  // A membership may be restricted to some organizations, or end.
  const isRefused = error?.data?.httpStatus === 403;
  // Nothing is shown during the first attempt to connect.
  if ((isLive || error) && !hasAttempted) setHasAttempted(true);

  useEffect(() => {
    if (!isLive) return;
    // The page may have missed changes before the stream began, or while it was disconnected.
    reload(trpc.organizations.pathFilter());
  }, [isLive, reload, trpc]);

  // The stream connects again by itself after a disconnection, but not after an error, such as EVENT_CURSOR_EXPIRED. A new subscription begins at the present.
  useEffect(() => {
    if (status !== 'error' || isRefused) return undefined;
    const timer = setTimeout(reset, retryDelay);
    return () => clearTimeout(timer);
  }, [status, isRefused, reset]);

  const isShown = enabled && hasAttempted && !isRefused;
  return <output className={`live ${isLive ? 'on' : ''}`}>{isShown && (isLive ? 'Live' : 'Reconnecting…')}</output>;
}

/** Returns a function that marks queries as changed. Those on the page are loaded again soon, the others when they are shown. */
function useReload(): (filter: QueryFilters) => void {
  const { trpc } = useProfile();
  const queryClient = useQueryClient();
  const timer = useRef<number>(undefined);
  return useCallback(
    (filter) => {
      void queryClient.invalidateQueries({ ...filter, refetchType: 'none' });
      timer.current ??= window.setTimeout(() => {
        timer.current = undefined;
        const isChanged = { predicate: ({ state }: { state: { isInvalidated: boolean } }) => state.isInvalidated };
        void queryClient.refetchQueries({ ...trpc.organizations.pathFilter(), type: 'active', ...isChanged });
      }, reloadDelay);
    },
    [queryClient, trpc],
  );
}
