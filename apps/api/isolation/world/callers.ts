import { randomUUID } from 'node:crypto';
import type { Random } from '../random.ts';
import { membershipsOf, type Model } from '../../test/oracle/model.ts';
import { claimsOf, otherClient, type Token, tokenOf } from '../../test/oracle/token.ts';
import type { Sign } from '../../test/support/people.ts';
import type { TokenTraits } from './plan.ts';

/** A caller with or without a token. */
export interface Caller {
  /** Shown in a counterexample. */
  name: string;
  /** The content of the token; null: there is no valid token. */
  token: Token | null;
  /** As sent in the Authorization header, without `Bearer`; undefined: no header. */
  bearer: string | undefined;
}

/** A caller with a token of this subject. It is the token of a person's login unless the traits differ. */
export async function caller(sign: Sign, name: string, sub: string, traits: TokenTraits = {}): Promise<Caller> {
  const token = tokenOf(sub, traits);
  return { name: `${name} ${JSON.stringify(traits)}`, token, bearer: await sign(claimsOf(token)) };
}

/** The service account of a client. */
export const application = (
  sign: Sign,
  azp: string,
  { sub = randomUUID(), traits = {} }: { sub?: string; traits?: TokenTraits } = {},
): Promise<Caller> => caller(sign, `the application ${azp}`, sub, { azp, hasSession: false, ...traits });

/** Callers who are in no world. */
export async function strangers(sign: Sign): Promise<Caller[]> {
  const forged = (await sign({ sub: randomUUID(), azp: 'web' })).replace(/\.[^.]*$/, '.AAAA');
  return [
    { name: 'nobody', token: null, bearer: undefined },
    { name: 'a forger', token: null, bearer: forged },
    await caller(sign, 'a stranger', randomUUID(), { realmRoles: ['super_admin', 'users:read'] }),
    await application(sign, otherClient),
  ];
}

/** An X-Tenant-Id for the caller: their own tenant, none, another tenant, an inactive one, or malformed. */
export function drawHeader(random: Random, model: Model, { token }: Caller): string | undefined {
  const user = [...model.users.values()].find(({ idIdentity }) => idIdentity === token?.sub);
  const own = random.pick(user ? membershipsOf(model, user.id) : [])?.tenantId;
  const any = random.pick([...model.tenants.keys()]);
  const draw = random.below(1);
  if (draw < 0.25) return undefined;
  if (draw < 0.7) return own;
  if (draw < 0.88) return any;
  return random.oneOf('', own?.toUpperCase(), randomUUID(), 'no-uuid', `${own},${any}`);
}
