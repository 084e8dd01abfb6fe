import pg from 'pg';
import { walls } from './policy.ts';
import type { Variant } from './variants.ts';

/**
 * Preloaded into the measured service: gives each statement on organizations its scope, in the way of the variant that it was told of last.
 * The tenant is taken from the statement's own predicate, so that the way from the caller to the connection costs nothing here.
 */
let variant: Variant = { role: 'none' };
process.on('message', (told: Variant) => {
  variant = told;
  process.send?.('done');
});
// Ends with the program that measures, however that ends.
process.once('disconnect', () => process.exit());

interface Prepared {
  name?: string;
  text: string;
  values?: unknown[];
}
type Send = (statement: unknown) => Promise<pg.QueryResult>;

const send = pg.Client.prototype.query as unknown as (this: pg.Client, ...args: unknown[]) => Promise<pg.QueryResult>;

const roles = new WeakMap<pg.Client, string>();
Object.assign(pg.Client.prototype, { query });

function query(this: pg.Client, ...args: unknown[]): Promise<pg.QueryResult> {
  const [config] = args as [Prepared];
  const place = config.values && placeOfTenant(config.text);
  if (place === undefined) return send.apply(this, args);
  const sendHere: Send = (statement) => send.call(this, statement);
  if (roles.get(this) === variant.role) return inScope(sendHere, config, config.values?.[place]);
  roles.set(this, variant.role);
  return sendHere({ text: `set role ${variant.role}` }).then(() => inScope(sendHere, config, config.values?.[place]));
}

function inScope(sendHere: Send, config: Prepared, tenantId: unknown): Promise<pg.QueryResult> {
  const { setting, form } = variant;
  if (!setting) return sendHere(config);
  const { setScope, scopeOf } = walls[setting];
  const scope: Prepared = { name: `scope of ${setting}`, text: setScope, values: scopeOf(tenantId) };
  return form === 'transaction' ? inTransaction(sendHere, config, scope) : inOneFlush(sendHere, config, scope);
}

const places = new Map<string, number | undefined>();

/** Which parameter of the statement is the tenant of its predicate; undefined where there is none. */
function placeOfTenant(text: string): number | undefined {
  if (!places.has(text)) {
    const place = text.includes('from "organizations"') && /"link"\."tenant_id" = \$(\d+)/.exec(text)?.[1];
    places.set(text, place ? Number(place) - 1 : undefined);
  }
  return places.get(text);
}

/** Four statements, each awaited: what Kysely's transactions do. */
async function inTransaction(sendHere: Send, config: Prepared, scope: Prepared): Promise<pg.QueryResult> {
  await sendHere({ text: 'begin' });
  await sendHere(scope);
  const result = await sendHere(config);
  await sendHere({ text: 'commit' });
  return result;
}

/** What pg's types leave out of a statement and of the connection that it is written to. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string>;
  parse(message: Prepared): void;
  bind(message: { statement: string; values: unknown[] }): void;
  execute(message: object): void;
}
interface Statement {
  submit(wire: Wire): Error | null;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}
const NewStatement = pg.Query as unknown as new (
  config: Prepared,
  done: (error: Error | null, result: pg.QueryResult) => void,
) => Statement;

/**
 * Two statements, one write, one answer: both are bound and executed before the one Sync, which makes them one transaction.
 * Where the first fails the server skips the second, and with the Sync the scope is gone: nothing is left to whoever has the connection next.
 */
function inOneFlush(sendHere: Send, config: Prepared, { name = '', text, values = [] }: Prepared): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const statement = new NewStatement(config, (error, result) => (error ? reject(error) : resolve(result)));
    const { submit, handleDataRow, handleCommandComplete } = statement;
    let isScoped = false;
    Object.assign(statement, {
      submit(wire: Wire) {
        wire.stream.cork();
        if (wire.parsedStatements[name] === undefined) {
          wire.parse({ name, text });
          wire.parsedStatements[name] = text;
        }
        wire.bind({ statement: name, values });
        wire.execute({});
        const problem = submit.call(statement, wire);
        wire.stream.uncork();
        return problem;
      },
      handleDataRow(message: unknown) {
        if (isScoped) handleDataRow.call(statement, message);
      },
      handleCommandComplete(message: unknown, wire: Wire) {
        if (isScoped) handleCommandComplete.call(statement, message, wire);
        isScoped = true;
      },
    });
    void sendHere(statement);
  });
}
