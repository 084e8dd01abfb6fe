import { useQuery } from '@tanstack/react-query';
import { useProfile } from './profile-provider.tsx';

/**
 * Returns whether the user may perform the action in the active tenant; false until the permissions are known. It only decides what the page offers: the
 * service decides what is allowed. @param resource such as `organizations`, or `organizations_id` for one record
 */
export function useMay(action: 'create' | 'read' | 'update' | 'delete', resource: string): boolean {
  const { trpc } = useProfile();
  const { data } = useQuery(trpc.me.permissions.queryOptions());
  return data?.permissions.some((granted) => granted.resource === `resource:${resource}` && granted.scopes.includes(action)) ?? false;
}
