import type { ErrorCode, Persona } from '@profile-service/contracts';
import type { Actor } from '../support/api.ts';
import type { TokenOptions } from '../support/people.ts';
import type { Place } from './place.ts';
import type { Rule, UserRule } from './who-may.ts';

export type Outcome = 'allowed' | ErrorCode;
type MakeActor = (place: Place, rule: UserRule) => Actor | Promise<Actor>;

/** A kind of caller, and what the rows are to answer to them. */
export interface Caller {
  who: string;
  /** Where the row is a user's, its rule says of which role or permission this is. */
  actor: MakeActor;
  user: Outcome | ((rule: UserRule) => Outcome);
  me: Outcome;
  service: Outcome;
}

/** A token of a person's login: no `/service` row takes it. */
export const person = (who: string, user: Caller['user'], actor: MakeActor): Caller => ({
  who,
  actor,
  user,
  me: user === 'USER_NOT_PROVISIONED' ? user : 'allowed',
  service: 'CLIENT_NOT_LINKED',
});
/** A token that an application got for itself: its subject is no user. */
export const application = (who: string, service: Outcome, actor: MakeActor): Caller => ({
  ...person(who, 'USER_NOT_PROVISIONED', actor),
  service,
});
/** Somebody whose token is none. */
export const withoutToken = (who: string, actor: MakeActor): Caller => ({
  who,
  actor,
  user: 'UNAUTHORIZED',
  me: 'UNAUTHORIZED',
  service: 'UNAUTHORIZED',
});

/** What a row answers to a member with this persona and no more. */
export const as = (persona: Persona) => (rule: UserRule) => (rule.personas.includes(persona) ? 'allowed' : 'NOT_ALLOWED');
export const unlessForGlobalUsers = ({ globalOnly }: UserRule) => (globalOnly ? 'NOT_ALLOWED' : 'allowed');
/** What it answers to a viewer with an RPT permission or super_admin. */
export const unlessReserved = (rule: UserRule) => (rule.reserved ? as('viewer')(rule) : 'allowed');
/** The claims of a token with roles of a client. */
export const rolesAt = (client: string, ...roles: string[]) => ({ claims: { resource_access: { [client]: { roles } } } });

/** The person with more in the token. */
export const withToken =
  (pick: (place: Place) => { subject: string }, more: (rule: UserRule, place: Place) => TokenOptions): MakeActor =>
  async (place, rule) => ({ token: await place.world.tokenOf({ sub: pick(place).subject, ...more(rule, place) }) });
/** The viewer of the tenant, with more in the token. */
export const viewerWith = (more: (rule: UserRule, place: Place) => TokenOptions) => withToken(({ members }) => members.viewer, more);
/** A token that the client got for itself. */
export const serviceToken =
  (clientId: (place: Place) => string, claims: (place: Place) => Record<string, unknown> = () => ({})): MakeActor =>
  async (place) => ({ token: await place.world.serviceToken(clientId(place), claims(place)) });
/** A viewer of one tenant who names another. */
export const naming =
  (tenant: (place: Place) => string): MakeActor =>
  (place) => ({ token: place.ofInactiveTenantToo.token, tenant: tenant(place) });

/** What the row is to answer to the caller. */
export function outcomeOf({ user, me, service }: Caller, rule: Rule): Outcome {
  if (rule.kind !== 'user') return rule.kind === 'me' ? me : service;
  return typeof user === 'function' ? user(rule) : user;
}
