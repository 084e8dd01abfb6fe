import { type Database, scoped, withoutScopedTables } from '@profile-service/db';
import type { RequestContext } from '../context.ts';
import type { ReadReplica } from '../read-replica.ts';
import { defineStep, runSteps, type Step } from '../run.ts';

/**
 * Gives a GET handler the primary or the read replica, and runs the steps. If they fail on the replica, runs them again on the primary. If the client
 * disconnects, the running statement is cancelled. The handler gets no `transaction`: one that writes is marked `ownsTransaction`.
 */
export function withReadDatabase(primary: Database, replica: ReadReplica | undefined, steps: readonly Step[]): Step {
  const readFrom = (database: Database, context: RequestContext) => {
    const executor = database.executorOf(context.abort);
    context.db = withoutScopedTables(executor);
    context.scoped = scoped(executor, context.caller.organizationScope);
    return runSteps(context, steps);
  };
  if (!replica) return defineStep('with-read-database', (context) => readFrom(primary, context));

  const readFromReplica = async (chosen: Database, context: RequestContext) => {
    try {
      await readFrom(chosen, context);
    } catch (error) {
      context.abort.throwIfAborted();
      replica.assertRepeatable(error);
      await readFrom(primary, context);
    }
  };
  return defineStep('with-read-database', (context) => {
    const chosen = replica.databaseFor(context.caller.organizationScope);
    return chosen ? readFromReplica(chosen, context) : readFrom(primary, context);
  });
}
