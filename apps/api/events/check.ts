import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from './environment.ts';
import { idOf, numberOf, type Reader } from './readers/reader.ts';
import type { WebhookReader } from './readers/webhook.ts';

/** The events that a reader must get, in the order of the journal: number of the event → its record. */
type Expected = ReadonlyMap<number, string>;

type Sql = Environment['sql'];

/** The readers wait no longer for the rest of the events when none came for this time, in milliseconds. */
const longestSilenceMs = 90_000;
/** How long a reader may still get an event twice, in milliseconds. */
const calmMs = 3_000;

/** Waits until each reader has what it must get, or no event comes any more, and stops the readers. Returns what is wrong with each. */
export async function checkReaders(sql: Sql, readers: readonly (Reader | WebhookReader)[]): Promise<Map<string, string[]>> {
  const expected = new Map(await Promise.all(readers.map(async (reader) => [reader, await expectedOf(sql, reader)] as const)));
  const total = () => readers.reduce((sum, { received }) => sum + received.numbers.length, 0);
  for (
    let seen = total(), at = performance.now();
    [...expected].some(([reader, all]) => missing(reader, all).length > 0);
    await pause(500)
  ) {
    if (total() !== seen) [seen, at] = [total(), performance.now()];
    if (performance.now() - at > longestSilenceMs) break;
  }
  await pause(calmMs);
  await Promise.all(readers.map((reader) => reader.stop()));
  return new Map([...expected].map(([reader, all]) => [`${reader.name}: ${all.size} events`, checkReader(reader, all)]));
}

/** Reads from the journal what a reader must get. */
async function expectedOf(sql: Sql, { condition }: Pick<Reader, 'condition'>): Promise<Expected> {
  const rows = await sql<{ id: string; record: string }>(
    `select id, record_type || ' ' || record_id as record from events where ${condition} order by epoch, transaction_id, sequence`,
  );
  return new Map(rows.map(({ id, record }) => [numberOf(id), record]));
}

const missing = ({ received }: Reader, expected: Expected): number[] =>
  [...expected.keys()].filter((number) => !received.distinct.has(number));

/** Compares what a reader got with the journal. Returns what is wrong. */
function checkReader(reader: Reader | WebhookReader, expected: Expected): string[] {
  const { received, delivery, problems } = reader;
  const name = (numbers: readonly number[]) =>
    numbers
      .slice(0, 5)
      .map((number) => `${idOf(number)} (${expected.get(number) ?? 'not visible'})`)
      .join(', ');
  const report = (what: string, numbers: readonly number[]) => (numbers.length > 0 ? [`${numbers.length} ${what}: ${name(numbers)}`] : []);
  const places = new Map([...expected.keys()].map((number, place) => [number, place]));
  /** The place of the last event of each record. */
  const last = new Map<string, number>();
  const disordered = [...received.distinct].filter((number) => {
    const [record, place] = [expected.get(number), places.get(number)];
    if (record === undefined || place === undefined) return false;
    const isLate = place < (last.get(record) ?? -1);
    last.set(record, place);
    return isLate;
  });
  const times = new Map<number, number>();
  if (delivery === 'once') for (const number of received.numbers) times.set(number, (times.get(number) ?? 0) + 1);
  return [
    ...problems.slice(0, 5),
    ...report('events are missing', missing(reader, expected)),
    ...report(
      'events came twice',
      [...times].filter(([, count]) => count > 1).map(([number]) => number),
    ),
    ...report(
      'events came although the reader may not see them',
      [...received.distinct].filter((number) => !expected.has(number)),
    ),
    ...report('events came after a later one of their record', disordered),
    ...('steps' in reader
      ? report('events were sent before an earlier one of their record was taken', sentTooEarly(reader, expected))
      : []),
  ];
}

/** Returns the events that were sent while the receiver had not taken an earlier one of the record. */
function sentTooEarly({ steps }: WebhookReader, expected: Expected): number[] {
  const byRecord = Map.groupBy(expected.keys(), (number) => expected.get(number) ?? '');
  const places = new Map([...byRecord.values()].flatMap((events) => events.map((number, place) => [number, place] as const)));
  /** How many events of each record are taken. */
  const taken = new Map<string, number>();
  return steps.flatMap(({ event, kind }) => {
    const [record, place] = [expected.get(event), places.get(event)];
    if (record === undefined || place === undefined) return [];
    const count = taken.get(record) ?? 0;
    if (kind === 'taken' && place === count) taken.set(record, count + 1);
    return kind === 'sent' && place > count ? [event] : [];
  });
}

/** Checks the journal itself: the events of each organization have its counters, without a gap and in order, and the last one is that of the record. */
export async function checkCounters(sql: Sql, organizations: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string; place: string; counter: string | null }>(
    `select record_id as id, place::text, counter from (
      select record_id, data ->> 'alias' as counter, row_number() over (partition by record_id order by epoch, transaction_id, sequence) as place
      from events where type = 'organization.updated' and record_id = any($1)
    ) as counted where counter is distinct from place::text
    union all
    select id, count::text, coalesce(alias, '0') from (
      select id::text, alias, (select count(*) from events where type = 'organization.updated' and record_id = organizations.id::text) as count
      from organizations where id::text = any($1)
    ) as stored where coalesce(alias, '0') <> count::text`,
    [organizations],
  );
  return rows.slice(0, 5).map(({ id, place, counter }) => `organization ${id} has the counter ${counter} instead of ${place}`);
}
