import type { World } from '../world/world.ts';

/** One run over the whole OpenAPI document as one kind of caller. */
export interface Pass {
  name: string;
  userToken: string | undefined;
  serviceToken: string | undefined;
  /** Values for X-Tenant-Id. */
  tenants: readonly string[];
  /** Whether requests use ids of earlier responses: useful for callers with many permissions. */
  stateful: boolean;
  /** Share of the time. */
  share: number;
}

/** One pass per kind of caller. A user's token is also sent to `/service`, an application's also to `/api`. The stateful passes use the right token for each. */
export function passesOf({ tokens, tenantId }: World): Pass[] {
  const pass = (name: keyof World['tokens'], share: number): Pass => {
    return { name, userToken: tokens[name], serviceToken: tokens[name], tenants: ['', tenantId], stateful: false, share };
  };
  const together = { serviceToken: tokens.application, stateful: true };
  return [
    { ...pass('global', 0.32), ...together, name: 'global, application', tenants: [''] },
    { ...pass('tenant-admin', 0.2), ...together, name: 'tenant-admin, application' },
    pass('restricted', 0.12),
    pass('viewer', 0.1),
    pass('exception-role', 0.1),
    pass('application', 0.08),
    pass('nobody', 0.08),
  ];
}
