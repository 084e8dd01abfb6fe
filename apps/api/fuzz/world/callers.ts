import { randomUUID } from 'node:crypto';
import { matrix, actions } from '@profile-service/contracts';
import type { People } from './people.ts';

/** A kind of caller. */
export interface Caller {
  name: string;
  /** undefined: no Authorization header. */
  token: string | undefined;
  /** Values for X-Tenant-Id: the own tenant first, then others. */
  tenants: readonly string[];
}

/** Signs claims as the identity provider does. */
export type Sign = (claims: Record<string, unknown>) => Promise<string>;

/** Every exception role. */
const exceptions = Object.keys(matrix).flatMap((module) => actions.map((scope) => `${module}:${scope}`));

/** A token of the tenant's application. */
export const applicationToken = (sign: Sign, { tenantClient }: People): Promise<string> =>
  sign({ sub: randomUUID(), azp: tenantClient, client_id: tenantClient });

/** All kinds of callers. The first two may call most endpoints. */
export async function makeCallers(sign: Sign, globalSubject: string, people: People): Promise<Caller[]> {
  const tenants = [people.tenantId, people.foreignTenantId, randomUUID(), 'no-uuid', ''];
  const person = async (name: string, sub: string, roles: readonly string[] = []): Promise<Caller> => ({
    name,
    token: await sign({ sub, azp: 'web', sid: randomUUID(), realm_access: { roles } }),
    tenants,
  });
  return [
    await person('global', globalSubject),
    { name: 'application', token: await applicationToken(sign, people), tenants },
    await person('tenant-admin', people.admin.subject),
    await person('viewer', people.viewer.subject),
    await person('restricted', people.restricted.subject),
    await person('exception-role', people.viewer.subject, exceptions),
    { name: 'nobody', token: undefined, tenants },
  ];
}
