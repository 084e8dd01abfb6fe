import fc from 'fast-check';
import { Random } from './random.ts';
import { deliverEvents } from './deliveries.ts';
import { runQueuedImports } from './imports.ts';
import { readJournal } from './journal.ts';
import { compareSnapshot } from './snapshot.ts';
import { anyActor, type Actor, draw, authorizedActor } from './calls.ts';
import { type DrivenEndpoint, drivenEndpoints } from './endpoints/index.ts';
import { checkStore, chooseObservers, readWithoutChecks, checkVisibility, warmCaches } from './observers.ts';
import type { Call } from './http.ts';
import { endpointNamed, type World } from './world/world.ts';

const endpoints = drivenEndpoints();
const writes = endpoints.filter(({ method, name }) => method !== 'GET' || name === 'service.organizations.findByFederalTaxId');
/** Endpoints that change what callers can see are called more often. Default: 1. */
const weights: Record<string, number> = {
  'memberships.assign': 5,
  'memberships.remove': 4,
  'organizationScopes.set': 5,
  'tenants.update': 4,
  'service.organizations.link': 4,
  'service.organizations.unlink': 4,
  'organizations.create': 3,
  'organizations.remove': 3,
  'users.update': 3,
  'users.create': 2,
  'service.users.create': 4,
  'attachments.create': 3,
  'cities.update': 4,
  'imports.create': 10,
  'cities.remove': 2,
  'imports.cancel': 6,
  'webhooks.create': 4,
};

type Command = fc.AsyncCommand<object, World>;
/** Chooses who makes the call. */
type Choose = (world: World, endpoint: DrivenEndpoint, random: Random) => Actor;

/** A command whose draws repeat with its seed. @param run may describe what it does more exactly than the name */
function command(
  name: string,
  seed: number,
  run: (world: World, random: Random, describeAs: (text: string) => void) => Promise<void>,
): Command {
  let description = `${name} #${seed}`;
  return {
    check: () => true,
    async run(_, world) {
      world.counters.steps += 1;
      await run(world, new Random(seed), (text) => (description = text));
    },
    toString: () => description,
  };
}

/** One step: fills the caller cache for the observers, makes a call that may change something, then checks the responses to all observers. */
const step = (endpoint: DrivenEndpoint, choose: Choose, seed: number): Command =>
  command(endpoint.name, seed, async (world, random, describeAs) => {
    const actor = choose(world, endpoint, random);
    // At most one import is queued, so that the order of all rows is known.
    if (endpoint.name === 'imports.create') await runQueuedImports(world);
    const call = draw(world, endpoint, actor, random);
    const transport = (endpoint.file === null || endpoint.file === 'stream') && random.chance(0.5) ? 'trpc' : 'rest';
    const description = `${describe(call)} over ${transport}`;
    describeAs(description);
    const observers = chooseObservers(world, call, random);
    await warmCaches(world, [...observers, actor]);
    // A response during the change may show the state before or after it. The cache must not keep the state before it.
    const meanwhile = random.chance(0.3) ? readWithoutChecks(world, observers) : undefined;
    describeAs(`${description} → ${await world.client.send(call, transport)}`);
    await meanwhile;
    if (random.chance(0.5)) await runQueuedImports(world);
    await readJournal(world, random);
    if (random.chance(0.3)) await deliverEvents(world);
    await checkVisibility(world, observers, endpoints, random);
    await checkStore(world, random);
    await compareSnapshot(world.sql, world.model);
  });

const describe = ({ endpoint, caller, header, input }: Call): string =>
  `${endpoint.name} ${JSON.stringify(input)} by ${caller.name}${header === undefined ? '' : ` in ${header}`}`;

/** Makes a legacy membership without persona, which no request can make. The update of its user that follows invalidates the cache. */
const losePersona = (seed: number): Command =>
  command('a membership loses its persona', seed, async (world, random) => {
    const { model, sql, client, root } = world;
    const membership = random.pick([...model.memberships.values()].filter(({ userId }) => model.users.has(userId)));
    if (!membership) return;
    const { userId, tenantId } = membership;
    await sql('update memberships set persona = null where user_id = $1 and tenant_id = $2', [userId, tenantId]);
    membership.persona = null;
    await client.send({ endpoint: endpointNamed('users.update'), caller: root, header: undefined, input: { id: userId } }, 'rest');
    await readJournal(world, random);
  });

const seed = fc.noShrink(fc.nat(2 ** 31 - 1));
const oneOf = (of: readonly DrivenEndpoint[]) =>
  fc.noShrink(fc.oneof(...of.map((endpoint) => ({ weight: weights[endpoint.name] ?? 1, arbitrary: fc.constant(endpoint) }))));
const change = fc.tuple(oneOf(writes), seed).map(([endpoint, drawn]) => step(endpoint, authorizedActor, drawn));
const attempt = fc
  .tuple(oneOf(endpoints), seed)
  .map(([endpoint, drawn]) => step(endpoint, (world, _, random) => anyActor(world, random), drawn));

/** The commands of a world. @param replayPath of a counterexample, to repeat it */
export const commands = (replayPath: string | undefined) =>
  fc.noBias(
    fc.commands<object, World, false>([change, change, change, attempt, attempt, seed.map(losePersona)], {
      maxCommands: 40,
      size: 'max',
      ...(replayPath ? { replayPath } : {}),
    }),
  );
