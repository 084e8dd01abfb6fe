import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../environment/environment.ts';
import type { People } from '../environment/people.ts';
import { Attempts } from './attempts.ts';
import { fileWriter } from './files.ts';
import { recordWriter } from './records.ts';
import { rightsWriter } from './rights.ts';
import { type LoadState, write } from './writer.ts';

/** Writers that send requests to both instances until they are stopped. */
export type Load = ReturnType<typeof createLoad>;

/** Returns a writer that creates users, with their identities at the identity provider. */
const userWriter = (state: LoadState, people: People) => async () => {
  const request = { method: 'POST', path: '/api/users', token: people.global, body: people.newPerson(), key: randomUUID() } as const;
  await write(state, 'users', request, 'user.created');
};

const writersOf = { records: recordWriter, files: fileWriter, users: userWriter, rights: rightsWriter };
type Kind = keyof typeof writersOf;
const allWriters: Readonly<Record<Kind, number>> = { records: 4, files: 2, users: 2, rights: 1 };
/** Time between two pieces of work of a writer in milliseconds. Without it, the load would use the processors of the parts. */
const restMs = 10;

/** Creates the writers. @param counts how many of each kind */
export function createLoad(
  { instances, people }: Pick<Environment, 'instances' | 'people'>,
  counts: Partial<Record<Kind, number>> = allWriters,
) {
  const state: LoadState = { instances, attempts: new Attempts(), acknowledged: [], violations: [], isStopping: false };
  const writers = Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => writersOf[kind as Kind](state, people)),
  );
  let running: Promise<void>[] = [];
  const run = async (work: () => Promise<void>) => {
    while (!state.isStopping) {
      await work().catch((error: unknown) => state.violations.push(String(error)));
      await pause(restMs);
    }
  };
  return {
    attempts: state.attempts,
    acknowledged: state.acknowledged,
    violations: state.violations,
    /** Starts the writers. They know the records that they have created before. */
    start() {
      state.isStopping = false;
      running = writers.map(run);
    },
    /** Waits until every writer has its last write acknowledged. */
    async stop() {
      state.isStopping = true;
      await Promise.all(running);
    },
  };
}
