import { setTimeout as pause } from 'node:timers/promises';
import { selectEntries } from '../test/oracle/audit.ts';
import { selectEvents } from '../test/oracle/events.ts';
import type { AuditEntry, StoredEvent } from '../test/oracle/model.ts';
import { parse, rest } from './http.ts';
import { Contradiction } from './prediction.ts';
import type { Random } from './random.ts';
import { endpointNamed, type World } from './world/world.ts';

/** Longest wait for an event, in milliseconds. Open transactions of the server delay it. */
const timeoutMs = 10_000;

/**
 * Replaces the audit log and the events of the model by those of the database, and waits until readers get all events. Remembers the cursor after the last
 * event and after another one, of pages without filters.
 */
export async function readJournal(world: JournalWorld, random: Random): Promise<void> {
  const { model, sql, startedAt } = world;
  model.auditEntries.clear();
  for (const entry of await sql<AuditEntry>(selectEntries, [startedAt])) model.auditEntries.set(entry.id, entry);
  const events = parse(JSON.stringify(await sql(selectEvents, [startedAt]))) as StoredEvent[];
  model.events.clear();
  for (const event of events) model.events.set(event.id, event);
  if (events.length === 0) return;

  const until = performance.now() + timeoutMs;
  while ((await readPage(world, 1_000)) !== events.at(-1)?.id) {
    if (performance.now() > until) throw new Contradiction('events.list', 'after 10 seconds', `the event ${events.at(-1)?.id}`, 'no event');
    await pause(5);
  }
  await readPage(world, 1 + random.index(events.length));
}

type JournalWorld = Pick<World, 'model' | 'sql' | 'port' | 'startedAt' | 'root'>;

/** Reads the events of the world as the root user, who sees all. Returns the id of the last one. */
async function readPage({ model, port, root, startedAt }: JournalWorld, limit: number): Promise<string | undefined> {
  const call = { endpoint: endpointNamed('events.list'), caller: root, header: undefined, input: { startDate: startedAt, limit } };
  const { data, nextCursor } = (await rest(port, call)).body as { data: { id: string }[]; nextCursor: string };
  const last = data.at(-1)?.id;
  if (last !== undefined) model.eventCursors.set(nextCursor, last);
  return last;
}
