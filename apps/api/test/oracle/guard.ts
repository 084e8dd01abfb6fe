import { type ResolvedCaller, resolveApplication, resolveUser } from './caller.ts';
import type { Model } from './model.ts';
import { isReserved, personaMay, type Rule, type UserRule } from './rules.ts';
import type { Token } from './token.ts';

/** Whether the guard lets a user pass. `own tenant`: only for requests about the active tenant. */
export function permits({ isGlobal, persona, organizationScope, token }: ResolvedCaller, rule: UserRule): 'yes' | 'own tenant' | 'no' {
  if (isGlobal) return 'yes';
  if (rule.globalOnly || (rule.wholeTenant && organizationScope === 'RESTRICTED')) return 'no';
  const role = `${rule.module}:${rule.action}`;
  if (token.realmRoles.includes(role) || token.clientRoles.includes(role)) return 'yes';
  if (!isReserved(rule)) {
    const { permission } = token;
    if (permission && !permission.forOther && permission.resource === rule.resource && permission.action === rule.action) return 'yes';
    if (token.realmRoles.includes('super_admin')) return 'yes';
  }
  if (persona === null || !personaMay(persona, rule)) return 'no';
  return rule.ownTenant ? 'own tenant' : 'yes';
}

/** Returns the caller of an endpoint with this rule, or the error code for an unknown caller. */
export const resolveCaller = (model: Model, rule: Rule, token: Token | null, tenantHeader?: string): ResolvedCaller | string =>
  rule.kind === 'service' ? resolveApplication(model, token) : resolveUser(model, token, tenantHeader);

/** Returns the error code with which the guard refuses the caller, or how it lets the caller pass. */
export function authorize(caller: ResolvedCaller | string, rule: Rule): { refused: string } | { allowed: 'yes' | 'own tenant' } {
  if (typeof caller === 'string') return { refused: caller };
  if (rule.kind !== 'user') return { allowed: 'yes' };
  if (caller.refusal !== null) return { refused: caller.refusal };
  const permitted = permits(caller, rule);
  return permitted === 'no' ? { refused: 'NOT_ALLOWED' } : { allowed: permitted };
}
