import fc from 'fast-check';
import { Dice } from './dice.ts';
import { compareLedger } from './ledger.ts';
import { anybody, type Asker, draw, whoMay } from './questions.ts';
import { type DrivenRow, drivenRows } from './rows/index.ts';
import { audit, chooseWatchers, survey, warm } from './survey.ts';
import type { Question } from './wire.ts';
import { rowNamed, type World } from './world/world.ts';

const rows = drivenRows();
const writes = rows.filter(({ method, name }) => method !== 'GET' || name === 'service.organizations.findByFederalTaxId');
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
type Choose = (world: World, row: DrivenRow, dice: Dice) => Asker;

/** One step: who will watch asks, something is asked that may change the store, and everything is looked at. */
class Step implements Command {
  readonly #row: DrivenRow;
  readonly #dice: number;
  readonly #choose: Choose;
  #happened: string;

  constructor(row: DrivenRow, dice: number, choose: Choose) {
    this.#row = row;
    this.#dice = dice;
    this.#choose = choose;
    this.#happened = `${row.name} #${dice}`;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, world: World): Promise<void> {
    world.tally.steps += 1;
    const dice = new Dice(this.#dice);
    const asker = this.#choose(world, this.#row, dice);
    const question = draw(world, this.#row, asker, dice);
    const face = this.#row.file === null && dice.chance(0.5) ? 'trpc' : 'rest';
    this.#happened = `${describe(question)} over ${face}`;
    const watchers = chooseWatchers(world, question, dice);
    await warm(world, [...watchers, asker]);
    this.#happened += ` → ${await world.examiner.ask(question, face)}`;
    await survey(world, watchers, rows, dice);
    await audit(world, dice);
    await compareLedger(world.sql, world.model);
  }

  toString(): string {
    return this.#happened;
  }
}

const describe = ({ row, caller, header, input }: Question): string =>
  `${row.name} ${JSON.stringify(input)} by ${caller.name}${header === undefined ? '' : ` in ${header}`}`;

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
    await examiner.ask({ row: rowNamed('users.update'), caller: root, header: undefined, input: { id: userId } }, 'rest');
  }

  toString(): string {
    return `a membership loses its persona #${this.#dice}`;
  }
}

const seed = fc.noShrink(fc.nat(2 ** 31 - 1));
const oneOf = (of: readonly DrivenRow[]) =>
  fc.noShrink(fc.oneof(...of.map((row) => ({ weight: weights[row.name] ?? 1, arbitrary: fc.constant(row) }))));
const change = fc.tuple(oneOf(writes), seed).map(([row, dice]) => new Step(row, dice, whoMay));
const attempt = fc.tuple(oneOf(rows), seed).map(([row, dice]) => new Step(row, dice, (world, _, drawn) => anybody(world, drawn)));
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
