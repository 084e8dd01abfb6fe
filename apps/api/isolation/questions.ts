import type { Dice } from './random.ts';
import { permits } from './oracle/permission.ts';
import type { Standing } from './oracle/standing.ts';
import { malformed, predict, standingOf } from './prediction.ts';
import { type Input, isRefusal } from './endpoints/driver.ts';
import type { DrivenEndpoint } from './endpoints/index.ts';
import type { Question } from './wire.ts';
import { type Caller, drawHeader } from './world/callers.ts';
import type { World } from './world/world.ts';

/** Fields that not any text fits. */
const particular = ['federalTaxId', 'organizationId', 'customerId', 'stateCode', 'ibgeCode', 'isRequired', 'entityType', 'page'];

/** The input with one thing in it that is not well-formed, where the endpoint has any. */
function spoil({ path, query }: DrivenEndpoint, input: Input): Input {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const field = inPath[0] ?? particular.find((name) => name in input || query.includes(name));
  return field ? { ...input, [field]: malformed } : input;
}

/** A question about the endpoint as this caller might ask it. */
export function draw({ model }: World, endpoint: DrivenEndpoint, { caller, header }: Asker, dice: Dice): Question {
  const who = standingOf(model, { endpoint, caller, header });
  // Who is nobody asks what somebody could ask.
  const scene = { model, who: typeof who === 'string' ? nobody : who, dice };
  const input = endpoint.driver.draw(scene);
  return { endpoint, caller, header, input: dice.chance(0.04) ? spoil(endpoint, input) : input };
}

const nobody: Standing = {
  token: { sub: '', azp: '', hasSession: false, realmRoles: [], clientRoles: [], otherClientRoles: [], permission: null },
  user: null,
  isGlobal: false,
  tenant: null,
  persona: null,
  reach: 'NONE',
  membership: null,
  refusal: null,
};

/** Whether the answer, as predicted, leaves everything as it is. */
export const isIdle = ({ model }: World, question: Question): boolean => {
  const outcome = predict(model, question);
  return isRefusal(outcome) || !outcome.change;
};

/** Somebody who asks, with an X-Tenant-Id. */
export interface Asker {
  caller: Caller;
  header: string | undefined;
}

/** Mostly people of this world, sometimes applications, rarely those who are neither. */
export function anybody({ model, root, callers }: World, dice: Dice): Asker {
  const people = callers.filter(({ token }) => [...model.users.values()].some(({ idIdentity }) => idIdentity === token?.sub));
  const applications = callers.filter(isApplication);
  const others = callers.filter((caller) => !people.includes(caller) && !applications.includes(caller));
  const share = dice.below(1);
  const caller = dice.pick(share < 0.75 ? people : share < 0.92 ? applications : others) ?? root;
  return { caller, header: drawHeader(dice, model, caller) };
}

/** Somebody whom the guard lets pass: most often not the root, also where few others have the right. */
export function whoMay(world: World, endpoint: DrivenEndpoint, dice: Dice): Asker {
  const passes = (asker: Asker): boolean => {
    const who = standingOf(world.model, { endpoint, ...asker });
    return typeof who !== 'string' && (endpoint.rule.family !== 'user' || (who.refusal === null && permits(who, endpoint.rule) !== 'no'));
  };
  for (let tries = 0; tries < 6; tries += 1) {
    const asker = anybody(world, dice);
    if (passes(asker)) return asker;
  }
  const others = world.callers
    .filter((caller) => caller !== world.root)
    .map((caller) => ({ caller, header: drawHeader(dice, world.model, caller) }));
  const rarely = dice.chance(0.7) ? dice.pick(others.filter(passes)) : undefined;
  const application = dice.pick(world.callers.filter(isApplication)) ?? world.root;
  return rarely ?? { caller: endpoint.rule.family === 'service' ? application : world.root, header: undefined };
}

export const isApplication = ({ token }: Caller): boolean => token !== null && !token.hasSession;
