import type { Caller } from '../world/callers.ts';

/** The whole document, as one kind of caller. */
export interface Pass {
  name: string;
  userToken: string | undefined;
  serviceToken: string | undefined;
  /** What X-Tenant-Id names. */
  tenants: readonly string[];
  /** Whether what one answer shows is asked for in the next request: of use to who may do most. */
  stateful: boolean;
  /** Part of the time. */
  share: number;
}

/** One pass per kind of caller. Each kind has its token on the endpoints of the other kind too; those who make things have the right ones, since one thing leads to another. */
export function passesOf(callers: readonly Caller[]): Pass[] {
  const tokenOf = (name: string): string | undefined => callers.find((caller) => caller.name === name)?.token;
  const [tenant = ''] = callers[0]?.tenants ?? [];
  const pass = (name: string, share: number): Pass => ({
    name,
    userToken: tokenOf(name),
    serviceToken: tokenOf(name),
    tenants: ['', tenant],
    stateful: false,
    share,
  });
  const together = { serviceToken: tokenOf('application'), stateful: true };
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
