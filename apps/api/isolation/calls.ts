import type { Random } from './random.ts';
import type { ResolvedCaller } from '../test/oracle/caller.ts';
import { authorize } from '../test/oracle/guard.ts';
import { tokenOf } from '../test/oracle/token.ts';
import { callerOf, malformed, predict } from './prediction.ts';
import { type Input, isRefusal } from './endpoints/driver.ts';
import type { DrivenEndpoint } from './endpoints/index.ts';
import type { Call } from './http.ts';
import { type Caller, drawHeader } from './world/callers.ts';
import type { World } from './world/world.ts';

/** Fields that do not accept every text. */
const restrictedFields = ['federalTaxId', 'organizationId', 'customerId', 'stateCode', 'ibgeCode', 'isRequired', 'entityType', 'page'];

/** The input with one malformed field, if the endpoint has a field that can be malformed. */
function makeMalformed({ path, query }: DrivenEndpoint, input: Input): Input {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const field = inPath[0] ?? restrictedFields.find((name) => name in input || query.includes(name));
  return field ? { ...input, [field]: malformed } : input;
}

/** A call of the endpoint as this caller could make it. */
export function draw({ model }: World, endpoint: DrivenEndpoint, { caller, header }: Actor, random: Random): Call {
  const who = callerOf(model, { endpoint, caller, header });
  // The input of an unknown caller is drawn as for a user without permissions.
  const context = { model, who: typeof who === 'string' ? unknownCaller : who, random };
  const input = endpoint.driver.draw(context);
  return { endpoint, caller, header, input: random.chance(0.04) ? makeMalformed(endpoint, input) : input };
}

const unknownCaller: ResolvedCaller = {
  token: tokenOf(''),
  user: null,
  isGlobal: false,
  tenant: null,
  persona: null,
  organizationScope: 'NONE',
  membership: null,
  refusal: null,
};

/** Whether the call, as predicted, changes nothing. */
export const changesNothing = ({ model }: World, call: Call): boolean => {
  const outcome = predict(model, call);
  return isRefusal(outcome) || !outcome.change;
};

/** A caller with an X-Tenant-Id. */
export interface Actor {
  caller: Caller;
  header: string | undefined;
}

/** Usually a user of this world, sometimes an application, rarely an unknown caller. */
export function anyActor({ model, root, callers }: World, random: Random): Actor {
  const people = callers.filter(({ token }) => [...model.users.values()].some(({ idIdentity }) => idIdentity === token?.sub));
  const applications = callers.filter(isApplication);
  const others = callers.filter((caller) => !people.includes(caller) && !applications.includes(caller));
  const share = random.below(1);
  const caller = random.pick(share < 0.75 ? people : share < 0.92 ? applications : others) ?? root;
  return { caller, header: drawHeader(random, model, caller) };
}

/** An actor whom the guard lets pass: usually not the root user, even if few others have the permission. */
export function authorizedActor(world: World, endpoint: DrivenEndpoint, random: Random): Actor {
  const passes = (actor: Actor): boolean => 'allowed' in authorize(callerOf(world.model, { endpoint, ...actor }), endpoint.rule);
  for (let tries = 0; tries < 6; tries += 1) {
    const actor = anyActor(world, random);
    if (actor.caller !== world.root && passes(actor)) return actor;
  }
  const others = world.callers
    .filter((caller) => caller !== world.root)
    .map((caller) => ({ caller, header: drawHeader(random, world.model, caller) }));
  const rarely = random.chance(0.7) ? random.pick(others.filter(passes)) : undefined;
  const application = random.pick(world.callers.filter(isApplication)) ?? world.root;
  return rarely ?? { caller: endpoint.rule.kind === 'service' ? application : world.root, header: undefined };
}

export const isApplication = ({ token }: Caller): boolean => token !== null && !token.hasSession;
