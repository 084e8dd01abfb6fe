import { randomUUID } from 'node:crypto';
import type { Dice } from '../random.ts';
import { membershipsOf, type Model } from '../model.ts';
import type { Token } from '../oracle/standing.ts';
import type { Badge } from './plan.ts';

/** Somebody with a token, or with none. */
export interface Caller {
  /** For whoever reads a counterexample. */
  name: string;
  /** What the token says; null: it says nothing. */
  token: Token | null;
  /** As sent in the Authorization header, without `Bearer`; undefined: no header. */
  bearer: string | undefined;
}

/** Signs claims as the identity provider does. */
export type Sign = (claims: Record<string, unknown>) => Promise<string>;

export const ownClient = 'profile-service';
const otherClient = 'harvest';

const plainToken = { hasSession: true, realmRoles: [], clientRoles: [], otherClientRoles: [], permission: null };

/** A token of this subject, as a person's login gets it unless the badge says otherwise. */
export async function caller(sign: Sign, name: string, sub: string, badge: Badge = {}): Promise<Caller> {
  const token: Token = { sub, azp: 'web', ...plainToken, ...badge };
  const { azp, hasSession, realmRoles, clientRoles, otherClientRoles, permission } = token;
  const bearer = await sign({
    sub,
    azp,
    ...(hasSession ? { sid: randomUUID() } : {}),
    realm_access: { roles: realmRoles },
    resource_access: { [ownClient]: { roles: clientRoles }, [otherClient]: { roles: otherClientRoles } },
    ...(permission && {
      aud: permission.forOther ? otherClient : ownClient,
      authorization: { permissions: [{ rsid: randomUUID(), rsname: permission.resource, scopes: [permission.scope] }] },
    }),
  });
  return { name: `${name} ${JSON.stringify(badge)}`, token, bearer };
}

/** The service account of a client. */
export const application = (
  sign: Sign,
  azp: string,
  { sub = randomUUID(), badge = {} }: { sub?: string; badge?: Badge } = {},
): Promise<Caller> => caller(sign, `the application ${azp}`, sub, { azp, hasSession: false, ...badge });

/** Those whom no world knows. */
export async function strangers(sign: Sign): Promise<Caller[]> {
  const forged = (await sign({ sub: randomUUID(), azp: 'web' })).replace(/\.[^.]*$/, '.AAAA');
  return [
    { name: 'nobody', token: null, bearer: undefined },
    { name: 'a forger', token: null, bearer: forged },
    await caller(sign, 'a stranger', randomUUID(), { realmRoles: ['super_admin', 'users:read'] }),
    await application(sign, otherClient),
  ];
}

/** An X-Tenant-Id for the caller: right, missing, foreign, of an inactive tenant, wrong. */
export function drawHeader(dice: Dice, model: Model, { token }: Caller): string | undefined {
  const user = [...model.users.values()].find(({ idIdentity }) => idIdentity === token?.sub);
  const own = dice.pick(user ? membershipsOf(model, user.id) : [])?.tenantId;
  const any = dice.pick([...model.tenants.keys()]);
  const draw = dice.below(1);
  if (draw < 0.25) return undefined;
  if (draw < 0.7) return own;
  if (draw < 0.88) return any;
  return dice.oneOf('', own?.toUpperCase(), randomUUID(), 'no-uuid', `${own},${any}`);
}
