import { cancellable, type Database, type HandlerDatabase, scoped, withoutScopedTables } from '@profile-service/db';
import type { RequestContext } from '../context.ts';
import type { ReadReplica } from '../read-replica.ts';
import { runSteps, type Step } from '../run.ts';

/**
 * Gives a GET handler the primary or the read replica, and runs the steps. If they fail on the replica, runs them again on the primary. If the client
 * disconnects, the running statement is cancelled. The handler gets no `transaction`: one that writes is marked `ownsTransaction`.
 */
export function withCancellableReads({ db }: Database, replica: ReadReplica | undefined, steps: readonly Step[]): Step {
  const primary = withoutScopedTables(db);

  const readFrom = (handlerDatabase: HandlerDatabase, context: RequestContext) => {
    context.db = handlerDatabase;
    context.scoped = scoped(handlerDatabase, context.caller.organizationScope);
    return cancellable(context, () => runSteps(context, steps));
  };
  if (!replica) return (context) => readFrom(primary, context);

  const readFromReplica = async (chosen: HandlerDatabase, context: RequestContext) => {
    try {
      await readFrom(chosen, context);
    } catch (error) {
      context.signal.throwIfAborted();
      replica.assertRepeatable(error);
      await readFrom(primary, context);
    }
  };
  return (context) => {
    const chosen = replica.databaseFor(context.caller.organizationScope);
    return chosen ? readFromReplica(chosen, context) : readFrom(primary, context);
  };
}
