import { endpoints } from '@profile-service/contracts';
import { type Database, type Executor, newId, type OrganizationScope, scoped, unscoped } from '@profile-service/db';
import type { AnyHandler } from '../../src/request/handler.ts';
import { rowEncoderOf } from '../../src/request/list-output.ts';
import { handlerOf } from '../../src/resources/index.ts';

/** Calls the handler of an endpoint once for each input, as a Global user or application with this scope. Returns the results. */
export type Run = (name: string, scope: OrganizationScope, inputs: object[]) => Promise<unknown[]>;

/** A handler of any kind. Its types are erased: the schemas of the endpoint check input and output. */
interface Handler {
  kind: AnyHandler['kind'];
  check?(context: object): Promise<unknown>;
  run(context: object, checked: unknown): Promise<unknown>;
}

/** Runs handlers without a transport. Writes are rolled back. */
export function createRun(database: Database, userId: string): Run {
  const identity = { findByEmail: async () => ({ subject: newId(), needsPassword: true }), sendPasswordMail: async () => undefined };
  const attachmentFiles = { download: (record: unknown) => record, remove: async () => undefined };
  const services = { identity, attachmentFiles, jobs: { add: async () => undefined } };

  return async (name, scope, inputs) => {
    const { endpoint } = endpoints.find((each) => each.name === name)!;
    const tenantId = 'tenantId' in scope ? scope.tenantId : null;
    const caller = {
      kind: endpoint.access.kind === 'service' ? 'service' : 'user',
      userId,
      tenantId,
      isGlobal: true,
      type: 'Global',
      tenant: tenantId && { id: tenantId, persona: 'tenant-admin' },
      refusal: null,
      organizationScope: scope,
      claims: { roles: new Set(), permissions: new Set(), isSuperAdmin: true },
    };
    const on = (executor: Executor) => ({
      unscoped: unscoped(executor),
      scoped: scoped(executor, scope),
      invalidateCallers: () => undefined,
      afterCommit: () => undefined,
    });
    const transaction = async (work: (unit: ReturnType<typeof on>) => Promise<unknown>) => {
      const rolledBack = new Error('roll back');
      let result: unknown;
      const done = database.transaction(async (executor) => {
        Object.assign(executor, { atCommit: executor });
        result = await work(on(executor));
        throw rolledBack;
      });
      await done.catch((error: unknown) => {
        if (error !== rolledBack) throw error;
      });
      return result;
    };
    const handler = handlerOf(endpoint) as unknown as Handler;
    const callWith = async (unit: object, input: object) => {
      const context = { ...services, caller, transaction, encodeRow: rowEncoderOf(endpoint), ...unit, input };
      try {
        return await handler.run(context, await handler.check?.(context));
      } catch (cause) {
        throw new Error(`${name} of ${scope.kind} with ${JSON.stringify(input)}`, { cause });
      }
    };

    const runsTransactions = handler.kind === 'external' || handler.kind === 'upload';
    if (runsTransactions) return inOrder(inputs, (input) => callWith(on(database.executor), input));
    // Reads and updates can share a transaction, in which they run at the same time.
    // More updates would slow each other down: each leaves a version of the row.
    const callsPerTransaction = endpoint.method === 'GET' || endpoint.method === 'PUT' ? 32 : 1;
    const chunks = Array.from({ length: Math.ceil(inputs.length / callsPerTransaction) }, (_, index) =>
      inputs.slice(index * callsPerTransaction, (index + 1) * callsPerTransaction),
    );
    const results = await inOrder(chunks, (chunk) =>
      transaction((opened) => {
        return Promise.all(chunk.map((input) => callWith(opened, input)));
      }),
    );
    return results.flat();
  };
}

/** Calls the function with one item after the other. */
async function inOrder<Item>(items: Item[], call: (item: Item) => Promise<unknown>): Promise<unknown[]> {
  const results = [];
  for (const item of items) results.push(await call(item));
  return results;
}
