import { membershipsOf, type Model } from '../../test/oracle/model.ts';
import { permits } from '../../test/oracle/guard.ts';
import type { Rule } from '../../test/oracle/rules.ts';
import { visibleOrganizations } from '../../test/oracle/visibility.ts';
import type { ResolvedCaller } from '../../test/oracle/caller.ts';
import { answer, type Driver, plain } from './driver.ts';

/** A membership as its user sees it. */
export function memberships(model: Model, userId: string): { id: string; active: boolean; persona: string | null }[] {
  return membershipsOf(model, userId).flatMap(({ tenantId, persona }) => {
    const tenant = model.tenants.get(tenantId);
    if (!tenant) return [];
    const { id, customerId, appId, name, active } = tenant;
    return [{ id, customerId, appId, name, active, persona }];
  });
}

/** Each resource with the actions of the endpoints that the caller may call. */
function permissions(who: ResolvedCaller, rules: readonly Rule[]): { resource: string; scopes: string[] }[] {
  const granted = new Map<string, Set<string>>();
  for (const rule of who.refusal === null ? rules : []) {
    if (rule.kind !== 'user' || permits(who, rule) === 'no') continue;
    granted.set(rule.resource, (granted.get(rule.resource) ?? new Set()).add(rule.action));
  }
  return [...granted].map(([resource, scopes]) => ({ resource, scopes: [...scopes] }));
}

/** The drivers of the endpoints under `/api/me`. @param rules of all endpoints */
export function me(rules: readonly Rule[]): Record<'tenants' | 'permissions', Driver> {
  return {
    tenants: plain(({ model, who }) =>
      answer({ data: memberships(model, who.user?.id ?? '').filter(({ active, persona }) => active && persona !== null) }),
    ),
    permissions: plain(({ model, who }) => {
      const allowed = { ALL: null, TENANT: null, NONE: [], RESTRICTED: visibleOrganizations(model, who).map(({ id }) => id) };
      return answer({
        userId: who.user?.id,
        name: who.user?.name,
        email: who.user?.email,
        type: who.user?.type,
        isSuperAdmin: who.token.realmRoles.includes('super_admin'),
        tenantId: who.tenant?.id ?? null,
        persona: who.persona,
        permissions: permissions(who, rules),
        organizationScope: who.organizationScope,
        allowedOrganizationIds: allowed[who.organizationScope],
      });
    }),
  };
}
