import { randomUUID } from 'node:crypto';
import { actions, matrix } from '@profile-service/contracts';
import type { People } from '../../test/support/people.ts';
import type { Fixtures } from './fixtures.ts';

/** A kind of caller. */
export interface Caller {
  name: string;
  /** undefined: no Authorization header. */
  token: string | undefined;
  /** Values for X-Tenant-Id: the own tenant first, then others. */
  tenants: readonly string[];
}

/** Every exception role. */
const exceptions = Object.keys(matrix).flatMap((module) => actions.map((scope) => `${module}:${scope}`));

/** All kinds of callers. The first two may call most endpoints. */
export async function makeCallers(
  { tokenOf }: People,
  { tenant, foreign, global, admin, viewer, restricted }: Fixtures,
): Promise<Caller[]> {
  const tenants = [tenant.id, foreign.id, randomUUID(), 'no-uuid', ''];
  const tokens = {
    global: await tokenOf({ sub: global.subject }),
    application: tenant.service.token,
    'tenant-admin': admin.token,
    viewer: viewer.token,
    restricted: restricted.token,
    'exception-role': await tokenOf({ sub: viewer.subject, roles: exceptions }),
    nobody: undefined,
  };
  return Object.entries(tokens).map(([name, token]) => ({ name, token, tenants }));
}
