import { queryOptions, skipToken } from '@tanstack/react-query';
import type { useProfile } from '../profile/profile-provider.tsx';

type Profile = ReturnType<typeof useProfile>;

/** The largest page of a list. */
const limit = 100;
/** States and cities hardly ever change. */
const staleTime = Infinity;

/** All states. */
export const statesOptions = ({ trpc }: Profile) => trpc.states.list.queryOptions({ limit }, { staleTime });

/** One city, for its name. The client sends the lookups of a whole list as one request. */
export const cityOptions = ({ trpc }: Profile, ibgeCode: number) => trpc.cities.get.queryOptions({ ibgeCode }, { staleTime });

/** All cities of a state, by name. */
export const citiesOptions = ({ profile, trpc }: Profile, stateCode: number | undefined) =>
  queryOptions({
    queryKey: [...trpc.cities.list.pathKey(), 'of state', stateCode],
    staleTime,
    queryFn: stateCode === undefined ? skipToken : ({ signal }) => Array.fromAsync(profile.cities.all({ stateCode }, { signal })),
  });
