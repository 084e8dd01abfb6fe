import type { Caller } from '@profile-service/auth';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import type { Input } from '../input.ts';
import { defineStep } from '../step.ts';
import type { Transaction } from '../transaction.ts';
import type { LastStatements } from '../transactions.ts';
import { originOf } from '../write-origin.ts';

/** Runs the work in a transaction and commits it. After a deadlock or a change of the schema, runs it again in a new transaction. */
export const inTransaction = defineStep(
  'in-transaction',
  <T>(
    context: RequestContext,
    { transactions }: RequestDependencies,
    caller: Caller,
    input: Input,
    last: LastStatements,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> => transactions.run(caller.organizationScope, () => originOf(context, caller, input), work, last),
);
