import fc from 'fast-check';
import { Dice } from './random.ts';
import { compareLedger } from './snapshot.ts';
import { anybody, type Asker, draw, whoMay } from './questions.ts';
import { type DrivenEndpoint, drivenEndpoints } from './endpoints/index.ts';
import { audit, chooseWatchers, look, survey, warm } from './survey.ts';
import type { Question } from './wire.ts';
import { endpointNamed, type World } from './world/world.ts';

const endpoints = drivenEndpoints();
const writes = endpoints.filter(({ method, name }) => method !== 'GET' || name === 'service.organizations.findByFederalTaxId');
/** What decides about who sees what is changed more often than the rest. */
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
};

type Command = fc.AsyncCommand<object, World>;
/** Who asks. */
type Choose = (world: World, endpoint: DrivenEndpoint, dice: Dice) => Asker;

/** One step: who will watch asks, something is asked that may change the store, and everything is looked at. */
class Step implements Command {
  readonly #endpoint: DrivenEndpoint;
  readonly #dice: number;
  readonly #choose: Choose;
  #happened: string;

  constructor(endpoint: DrivenEndpoint, dice: number, choose: Choose) {
    this.#endpoint = endpoint;
    this.#dice = dice;
    this.#choose = choose;
    this.#happened = `${endpoint.name} #${dice}`;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, world: World): Promise<void> {
    world.tally.steps += 1;
    const dice = new Dice(this.#dice);
    const asker = this.#choose(world, this.#endpoint, dice);
    const question = draw(world, this.#endpoint, asker, dice);
    const face = this.#endpoint.file === null && dice.chance(0.5) ? 'trpc' : 'rest';
    this.#happened = `${describe(question)} over ${face}`;
    const watchers = chooseWatchers(world, question, dice);
    await warm(world, [...watchers, asker]);
    // Who asks while the change is made may be answered as before it or as after it, but must not be remembered as before it.
    const meanwhile = dice.chance(0.3) ? look(world, watchers) : undefined;
    this.#happened += ` → ${await world.examiner.ask(question, face)}`;
    await meanwhile;
    await survey(world, watchers, endpoints, dice);
    await audit(world, dice);
    await compareLedger(world.sql, world.model);
  }

  toString(): string {
    return this.#happened;
  }
}

const describe = ({ endpoint, caller, header, input }: Question): string =>
  `${endpoint.name} ${JSON.stringify(input)} by ${caller.name}${header === undefined ? '' : ` in ${header}`}`;

/** A membership of before there were personas: no request makes one. The change of its user that follows has the service notice. */
class LosePersona implements Command {
  readonly #dice: number;

  constructor(dice: number) {
    this.#dice = dice;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, { model, sql, examiner, root, tally }: World): Promise<void> {
    tally.steps += 1;
    const dice = new Dice(this.#dice);
    const membership = dice.pick([...model.memberships.values()].filter(({ userId }) => model.users.has(userId)));
    if (!membership) return;
    const { userId, tenantId } = membership;
    await sql('update memberships set persona = null where user_id = $1 and tenant_id = $2', [userId, tenantId]);
    membership.persona = null;
    await examiner.ask({ endpoint: endpointNamed('users.update'), caller: root, header: undefined, input: { id: userId } }, 'rest');
  }

  toString(): string {
    return `a membership loses its persona #${this.#dice}`;
  }
}

const seed = fc.noShrink(fc.nat(2 ** 31 - 1));
const oneOf = (of: readonly DrivenEndpoint[]) =>
  fc.noShrink(fc.oneof(...of.map((endpoint) => ({ weight: weights[endpoint.name] ?? 1, arbitrary: fc.constant(endpoint) }))));
const change = fc.tuple(oneOf(writes), seed).map(([endpoint, dice]) => new Step(endpoint, dice, whoMay));
const attempt = fc
  .tuple(oneOf(endpoints), seed)
  .map(([endpoint, dice]) => new Step(endpoint, dice, (world, _, drawn) => anybody(world, drawn)));
const losePersona = seed.map((dice) => new LosePersona(dice));

/** @param replayPath that of a counterexample, to see it again */
export const commands = (replayPath: string | undefined) =>
  fc.noBias(
    fc.commands<object, World, false>([change, change, change, attempt, attempt, losePersona], {
      maxCommands: 40,
      size: 'max',
      ...(replayPath ? { replayPath } : {}),
    }),
  );
