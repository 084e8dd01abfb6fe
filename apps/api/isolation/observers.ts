import { recordOf, type RecordType, recordTypes } from '@profile-service/contracts';
import type { Random } from './random.ts';
import { authorize, resolveCaller } from '../test/oracle/guard.ts';
import { type Model, tenantsOf } from '../test/oracle/model.ts';
import { callerOf } from './prediction.ts';
import { anyActor, type Actor, draw, isApplication, changesNothing } from './calls.ts';
import type { DrivenEndpoint } from './endpoints/index.ts';
import { type Call, rest } from './http.ts';
import { drawHeader } from './world/callers.ts';
import { endpointNamed, type World } from './world/world.ts';

const endpointsNamed = (names: string): DrivenEndpoint[] => names.trim().split(/\s+/).map(endpointNamed);
/** These endpoints of each resource, for the types of records that pass. */
const endpointsOf = (names: readonly string[], passes: (type: RecordType) => boolean): DrivenEndpoint[] =>
  resources.filter(passes).flatMap((type) => names.map((name) => endpointNamed(`${recordOf(type).groups[0]}.${name}`)));
const resources = recordTypes.filter((type) => recordOf(type).key.length === 1);
const isScoped = (type: RecordType): boolean => recordOf(type).isScoped === true;

/** The endpoints whose responses depend on the scope, for users and for applications. Every check calls all of them. */
const scoped = {
  user: [
    ...endpointsOf(['list', 'get'], isScoped),
    ...endpointsNamed(
      'organizations.get tenants.organizations me.permissions me.tenants tenants.get memberships.users auditEntries.list events.list webhookDeliveries.list imports.list imports.get imports.results',
    ),
  ],
  service: endpointsNamed(
    'service.organizations.list service.organizations.list service.documents.list service.cooperatives.list service.auditEntries.list service.events.list',
  ),
};
/** Half of the checks call them. */
const slower = { user: endpointsNamed('events.stream auditEntries.export'), service: endpointsNamed('service.events.stream') };
const scopedWrites = endpointsOf(['create', 'update', 'remove'], isScoped).filter(({ name }) => name !== 'organizations.create');
const audited = endpointsOf(['list'], (type) => isScoped(type) || type === 'user');
const alsoAudited = endpointsOf(['list'], (type) => !isScoped(type) && type !== 'user');

/** Two actors, and one whom the call may affect, if there is one. One of the two reads the audit log or the events of a tenant that the call may affect, if there is one. */
export function chooseObservers(world: World, call: Call, random: Random): Actor[] {
  const concerned = random.pick(world.callers.filter(({ token }) => token && isNamed(world.model, token.sub, token.azp, call)));
  const chosen = [anyActor(world, random), random.pick(journalReadersOf(world, call, random)) ?? anyActor(world, random)];
  return concerned ? [{ caller: concerned, header: drawHeader(random, world.model, concerned) }, ...chosen] : chosen;
}

/** The callers who may read the audit log, or the events, of a tenant: the one in which the call is made, or one to which an organization is linked that it names. */
function journalReadersOf({ model, callers }: World, call: Call, random: Random): Actor[] {
  const who = callerOf(model, call);
  const named = Object.values(call.input).flatMap((value) => (typeof value === 'string' ? tenantsOf(model, value) : []));
  const tenant = random.pick([...(typeof who === 'string' || !who.tenant ? [] : [who.tenant]), ...named]);
  if (!tenant) return [];
  const endpoint = random.oneOf('auditEntries.list', 'events.list');
  return callers
    .map((caller) => ({ caller, header: tenant.id }))
    .filter((actor) => {
      const { rule } = endpointNamed(isApplication(actor.caller) ? `service.${endpoint}` : endpoint);
      const reader = resolveCaller(model, rule, actor.caller.token, actor.header);
      return typeof reader !== 'string' && reader.tenant === tenant && 'allowed' in authorize(reader, rule);
    });
}

/** Whether the call names the user, or a tenant or an organization of the user or the client. */
function isNamed(model: Model, sub: string, azp: string, { input, header }: Call): boolean {
  const named = new Set<unknown>([...Object.values(input).flat(), header]);
  const user = [...model.users.values()].find(({ idIdentity }) => idIdentity === sub);
  const tenants = [...model.tenants.values()].filter(
    ({ id, identityClientId }) => identityClientId === azp || model.memberships.has(`${user?.id} ${id}`),
  );
  return (
    named.has(user?.id) ||
    named.has(user?.email) ||
    tenants.some(({ id }) => named.has(id) || [...model.links].some((link) => named.has(link.split(' ')[0]) && link.endsWith(id)))
  );
}

const ownContextCall = ({ caller, header }: Actor): Call => ({
  endpoint: endpointNamed(isApplication(caller) ? 'service.cooperatives.list' : 'me.permissions'),
  caller,
  header,
  input: {},
});

/** Calls the service once for each observer, so that their contexts are in its cache. */
export async function warmCaches({ client }: World, observers: readonly Actor[]): Promise<void> {
  await Promise.all(observers.map((observer) => client.sendAll([ownContextCall(observer)], 'rest')));
}

/** Calls the service a few times for each observer and ignores the responses. */
export async function readWithoutChecks({ port }: World, observers: readonly Actor[]): Promise<void> {
  await Promise.all([...observers, ...observers, ...observers].map((observer) => rest(port, ownContextCall(observer))));
}

/** Calls the service as each observer: lists, totals, filters and records, and calls that it must refuse. */
export async function checkVisibility(
  world: World,
  observers: readonly Actor[],
  all: readonly DrivenEndpoint[],
  random: Random,
): Promise<void> {
  const asked = observers.map((observer) => {
    const own = isApplication(observer.caller) ? scoped.service : [...scoped.user, ...random.some(scopedWrites, 0.3)];
    const others = random.some(isApplication(observer.caller) ? slower.service : slower.user, 0.5);
    const calls = [...own, ...others, ...random.some(all, 2 / all.length)]
      .map((endpoint) => draw(world, endpoint, observer, random))
      .filter((call) => changesNothing(world, call));
    return {
      calls: isLockedOut(world, calls) ? calls.slice(-3) : calls,
      transport: random.chance(0.4) ? 'trpc' : 'rest',
    } as const;
  });
  await Promise.all(asked.map(({ calls, transport }) => world.client.sendAll(calls, transport)));
}

/** Whether every call of this observer is refused. A few of them are enough then. */
function isLockedOut({ model }: World, calls: readonly Call[]): boolean {
  const [call] = calls;
  const who = call ? callerOf(model, call) : '';
  return typeof who === 'string' || who.refusal !== null;
}

/** Reads everything as the root user. This detects changes of records that a call must not affect. */
export async function checkStore(world: World, random: Random): Promise<void> {
  const actor = { caller: world.root, header: undefined };
  const endpoints = [...audited, ...random.some(alsoAudited, 0.3)];
  const calls = endpoints.map((endpoint) => ({ endpoint, ...actor, input: { limit: 100 } }));
  const others = ['events.list', 'imports.list', 'imports.results'].map((name) => draw(world, endpointNamed(name), actor, random));
  await world.client.sendAll([...calls, ...others], 'trpc');
}
