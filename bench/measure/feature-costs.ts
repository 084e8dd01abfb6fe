import pg from 'pg';
import { median } from '../load/statistics.ts';
import type { Options } from '../options.ts';
import type { Environment } from '../servers/environment.ts';
import { alternate, connections, type Round, runWindow } from './compare.ts';
import { countStatements } from './statements.ts';

const size = 'small';
const server = 'service';
const contact = 'create a contact';

/** What a feature adds to a write. CPU times are in microseconds. */
export interface FeatureCost {
  name: string;
  serverCpu: number;
  postgresCpu: number;
  statements: number;
}

/** What a write leaves on disk, with indexes. */
export interface StoredRows {
  name: 'journal' | 'stored response';
  bytesPerWrite: number;
}

export interface FeatureCosts {
  costs: FeatureCost[];
  stored: StoredRows[];
}

/** Measures writes with and without each feature alternately, and how much the tables grow per write. */
export async function measureFeatureCosts(environment: Environment, options: Options): Promise<FeatureCosts> {
  const client = new pg.Client({ connectionString: await environment.databaseOf(size) });
  await client.connect();
  try {
    // Without captured changes, the statement that records a write does nothing. The recording is one statement.
    const toggle = (how: 'enable' | 'disable') => client.query(`alter table organization_contacts ${how} trigger capture_insert_delete`);
    const recording = await compareWith(environment, options, contact, contact, (side) =>
      toggle(side === 'subject' ? 'enable' : 'disable'),
    );
    await toggle('enable');
    const grow = (table: string, work: string) => growthPerWrite(environment, client, options, table, work);
    const withKey = `${contact}, with Idempotency-Key`;
    const [change, withIfMatch] = ['change a contact', 'change a contact, with If-Match'];
    return {
      costs: [
        { name: 'audit log and events', ...recording, statements: 1 },
        { name: 'If-Match', ...(await compareWith(environment, options, withIfMatch, change)), ...(await extra(withIfMatch, change)) },
        { name: 'Idempotency-Key', ...(await compareWith(environment, options, withKey, contact)), ...(await extra(withKey, contact)) },
      ],
      stored: [
        { name: 'journal', bytesPerWrite: await grow('journal', contact) },
        { name: 'stored response', bytesPerWrite: await grow('idempotency_keys', withKey) },
      ],
    };
  } finally {
    await client.end();
  }

  async function extra(work: string, without: string): Promise<{ statements: number }> {
    const count = async (name: string) => (await countStatements(environment, size, server, name)).perRequest;
    return { statements: Math.round((await count(work)) - (await count(without))) };
  }
}

/** The CPU that the first work uses more than the second: the median over the rounds. @param prepare switches the feature on and off */
async function compareWith(
  environment: Environment,
  options: Options,
  work: string,
  without: string,
  prepare?: (side: keyof Round) => Promise<unknown>,
): Promise<Pick<FeatureCost, 'serverCpu' | 'postgresCpu'>> {
  const sides: Parameters<typeof alternate>[2] = [
    { server, work },
    { server, work: without },
  ];
  const rounds = await alternate(environment, size, sides, options, prepare);
  const difference = (figure: 'serverCpu' | 'postgresCpu') =>
    median(rounds.map(({ subject, reference }) => subject[figure] - reference[figure]));
  return { serverCpu: difference('serverCpu'), postgresCpu: difference('postgresCpu') };
}

/** The bytes by which a table and its indexes grow per write. */
async function growthPerWrite(
  environment: Environment,
  client: pg.Client,
  { seconds }: Options,
  table: string,
  work: string,
): Promise<number> {
  const measure = async () =>
    (
      await client.query<{ bytes: number; rows: number }>(
        `select (select sum(pg_total_relation_size(relid))::float8 from (select $1::regclass union select relid from pg_partition_tree($1)) as part (relid)) as bytes,
           (select count(*)::float8 from ${table}) as rows`,
        [table],
      )
    ).rows[0] ?? { bytes: 0, rows: 0 };
  const before = await measure();
  await runWindow(environment, { server, size, work, connections, warmSeconds: 0, seconds: 5 * seconds });
  const after = await measure();
  return (after.bytes - before.bytes) / (after.rows - before.rows);
}
