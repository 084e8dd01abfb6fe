import type { Hash } from 'node:crypto';
import { newId, scoped, unscoped } from '@profile-service/db';
import type { CompiledEndpoint } from './compiled-endpoint.ts';
import type { RequestContext } from './context.ts';
import type { RequestDependencies } from './dependencies.ts';
import type { Download } from './files.ts';
import type { AnyExport, AnyExternal, AnyFeed, AnyHandler, AnyRead, AnyUpload, AnyWrite } from './handler.ts';
import { storeResponse } from './idempotent-response.ts';
import { eventList } from './event-list.ts';
import { keyedRequestOf } from './keyed-request.ts';
import { tenantKey } from './limits/keys.ts';
import type { OperationResult } from './response.ts';
import { sealSecret } from './response-secrets.ts';
import { accept, type Accepted, acceptRead, acceptWrite, requireOwnTenant } from './steps/accept.ts';
import { admit, reauthorize } from './steps/admit.ts';
import { check, handle, matchVersion, respond } from './steps/handle.ts';
import { inTransaction } from './steps/in-transaction.ts';
import { readEvents, waitForEvents } from './steps/read-events.ts';
import { sendExport } from './steps/send-export.ts';
import { readLastEventId, streamEvents } from './steps/stream-events.ts';
import { readInput } from './steps/read-input.ts';
import { withDatabaseSlot } from './steps/with-database-slot.ts';
import { withFileSlot } from './steps/with-file-slot.ts';
import { withIdempotencyClaim } from './steps/with-idempotency-claim.ts';
import { withIdempotencyKey } from './steps/with-idempotency-key.ts';
import { withReadDatabase } from './steps/with-read-database.ts';
import { withUpload } from './steps/with-upload.ts';
import type { RunInTransaction } from './transaction.ts';

/*
 * The steps of each kind of request, in the order in which they run. A step `with…` or `in…` contains those that run while its slot or transaction is held.
 */

/** Runs a call of an endpoint. Throws a ProblemError to reject it. */
type Run<H extends AnyHandler> = (
  context: RequestContext,
  endpoint: CompiledEndpoint<H>,
  dependencies: RequestDependencies,
) => Promise<OperationResult>;

/** A GET of JSON. */
const runRead: Run<AnyRead> = async (context, endpoint, dependencies) => {
  const accepted = await acceptRead(context, endpoint, dependencies);
  const returned = await runQuery(context, endpoint, dependencies, accepted);
  return respond(context, endpoint.respond, returned, context.rawInput?.ifNoneMatch);
};

/** A GET of events. It waits for the first event, without a slot. */
const runFeed: Run<AnyFeed> = async (context, endpoint, dependencies) => {
  const accepted = await acceptRead(context, endpoint, dependencies);
  const { events } = dependencies;
  const deadline = performance.now() + Number(accepted.input['wait']) * 1000;
  let page = await readEvents(context, endpoint.handler, dependencies, accepted);
  for (;;) {
    const waitMs = deadline - performance.now();
    if (page.events.length > 0 || page.hasMore || waitMs <= 0 || events.isStopping) break;
    const { position, hasEvents } = await waitForEvents(context, events, accepted.authorization.caller, page.position, waitMs);
    const authorization = await reauthorize(context, dependencies);
    page = hasEvents
      ? await readEvents(context, endpoint.handler, dependencies, { ...accepted, authorization }, { after: position, isCursor: true })
      : { events: [], position, hasMore: false };
  }
  return respond(context, endpoint.respond, eventList(page));
};

/** A GET of a stream of events. The first page is read before the stream is opened, so that its errors have a response of their own. */
const runStream: Run<AnyFeed> = async (context, endpoint, dependencies) => {
  const accepted = await acceptRead(context, endpoint, dependencies);
  const cursor = readLastEventId(context);
  const stream = cursor === undefined ? accepted : { ...accepted, input: { ...accepted.input, cursor, startDate: undefined } };
  return dependencies.eventStreams.run(tenantKey(stream.authorization.caller), async () => {
    const first = await readEvents(context, endpoint.handler, dependencies, stream);
    const sink = context.request.openEvents?.();
    if (!sink) throw new Error('The transport cannot send a stream');
    await streamEvents(context, endpoint.handler, dependencies, stream, sink, first);
    return { status: endpoint.endpoint.success, headers: {}, body: undefined };
  });
};

/** A GET of a file, which is sent in a slot for downloads. */
const runDownload: Run<AnyRead> = async (context, endpoint, dependencies) => {
  const { caller } = await admit(context, dependencies);
  return withFileSlot(context, dependencies.concurrency.downloads, caller, async () => {
    const rawInput = await readInput(context, dependencies.concurrency.largeBodies, caller);
    const accepted = accept(context, endpoint, await reauthorize(context, dependencies), rawInput);
    const file = await runQuery(context, endpoint, dependencies, accepted);
    await context.request.sendFile?.(file as Download);
    return { status: endpoint.endpoint.success, headers: {}, body: undefined };
  });
};

/** A GET of a file of records, which is sent in a slot for exports. */
const runExport: Run<AnyExport> = async (context, endpoint, dependencies) => {
  const accepted = await acceptRead(context, endpoint, dependencies);
  const { handler } = endpoint;
  return withFileSlot(context, dependencies.concurrency.exports, accepted.authorization.caller, async () => {
    const authorization = await reauthorize(context, dependencies);
    requireOwnTenant(context, authorization, accepted.input);
    const run = handler.check?.bind(handler);
    const checked =
      run && (await runQuery(context, { ...endpoint, handler: { kind: 'read', run } }, dependencies, { ...accepted, authorization }));
    await sendExport(context, endpoint, dependencies, { caller: authorization.caller, input: accepted.input, checked });
    return { status: endpoint.endpoint.success, headers: {}, body: undefined };
  });
};

/** Runs a handler that reads. */
const runQuery = (
  context: RequestContext,
  { handler, encodeRow }: CompiledEndpoint<AnyRead>,
  dependencies: RequestDependencies,
  { authorization, input }: Accepted,
): Promise<unknown> =>
  withDatabaseSlot(context, dependencies, authorization, input, ({ caller }) =>
    withReadDatabase(context, dependencies, caller, (tables) => {
      const { attachmentFiles } = dependencies.handlerDependencies;
      return handle(context, handler, { ...tables, input, caller, encodeRow, attachmentFiles });
    }),
  );

/** A write in one transaction. */
const runWrite: Run<AnyWrite> = async (context, endpoint, dependencies) => {
  const { authorization, input, ifMatch, key } = await acceptWrite(context, endpoint, dependencies);
  const { handler, respond: create } = endpoint;
  const { jobs } = dependencies.handlerDependencies;
  if (key !== undefined) {
    return withDatabaseSlot(context, dependencies, authorization, input, ({ caller }) => {
      const request = keyedRequestOf({ operation: context.operation, caller, input, key, claimId: null });
      return inTransaction(context, dependencies, caller, input, 'response', async (transaction) => {
        const handlerContext = { ...transaction, jobs, input, caller };
        return withIdempotencyKey(
          context,
          dependencies,
          transaction,
          request,
          () => check(context, handler, handlerContext),
          async (checked) => respond(context, create, await handle(context, handler, handlerContext, checked)),
        );
      });
    });
  }
  const returned = await withDatabaseSlot(context, dependencies, authorization, input, ({ caller }) =>
    inTransaction(context, dependencies, caller, input, 'handler', async (transaction) => {
      const handlerContext = { ...transaction, jobs, input, caller };
      const checked = await check(context, handler, handlerContext);
      if (ifMatch) await matchVersion(context, transaction.scoped, input, ifMatch);
      return handle(context, handler, handlerContext, checked);
    }),
  );
  return respond(context, create, returned);
};

/** A write that calls the identity provider, the storage or DNS. It occupies a database slot only during its transactions. */
const runExternal: Run<AnyExternal> = async (context, endpoint, dependencies) =>
  runOutside(context, endpoint, dependencies, await acceptWrite(context, endpoint, dependencies));

/** An upload. The file is stored while it arrives, in a slot for uploads. */
const runUpload: Run<AnyUpload> = async (context, endpoint, dependencies) => {
  const { caller } = await admit(context, dependencies);
  return withFileSlot(context, dependencies.concurrency.uploads, caller, () =>
    withUpload(context, endpoint.handler, dependencies.handlerDependencies, async (rawInput, fileHash) => {
      const accepted = accept(context, endpoint, await reauthorize(context, dependencies), rawInput);
      return runOutside(context, endpoint, dependencies, accepted, fileHash);
    }),
  );
};

/** Runs a handler outside of a transaction. */
async function runOutside(
  context: RequestContext,
  { handler, respond: create }: CompiledEndpoint<AnyExternal | AnyUpload>,
  dependencies: RequestDependencies,
  { authorization, input, ifMatch, key }: Accepted,
  fileHash?: Hash,
): Promise<OperationResult> {
  const { handlerDependencies } = dependencies;
  const { executor } = dependencies.database;
  const { caller } = authorization;
  const runLast =
    (last: 'handler' | 'response'): RunInTransaction =>
    (work) =>
      withDatabaseSlot(context, dependencies, authorization, input, (current) =>
        inTransaction(context, dependencies, current.caller, input, last, async (transaction) => {
          if (ifMatch) await matchVersion(context, transaction.scoped, input, ifMatch);
          return work(transaction);
        }),
      );
  const tables = { unscoped: unscoped(executor), scoped: scoped(executor, caller.organizationScope) };
  const handlerContext = { ...handlerDependencies, ...tables, input, caller, transaction: runLast('handler') };
  const checkFirst = () => check(context, handler, handlerContext);
  const run = async (transaction: RunInTransaction) => {
    await checkFirst();
    return respond(context, create, await handle(context, handler, { ...handlerContext, transaction }));
  };
  if (key === undefined) return run(handlerContext.transaction);

  const claimId = newId();
  const request = { ...keyedRequestOf({ operation: context.operation, caller, input, key, claimId, fileHash }), claimId };
  const storing: RunInTransaction = (work) =>
    runLast('response')(async (transaction) => {
      const returned = await work(transaction);
      await storeResponse(transaction, request, sealSecret(context.endpoint, create(returned), handlerDependencies.webhooks));
      return returned;
    });
  return withIdempotencyClaim(context, dependencies, request, runLast('handler'), checkFirst, () => run(storing));
}

/** Returns the function that runs the calls of an endpoint, by the kind of its handler. */
export function createRun(
  compiled: CompiledEndpoint,
  dependencies: RequestDependencies,
): (context: RequestContext) => Promise<OperationResult> {
  const { handler, endpoint } = compiled;
  switch (handler.kind) {
    case 'read': {
      const run = endpoint.media === 'download' ? runDownload : runRead;
      return (context) => run(context, compiled as CompiledEndpoint<AnyRead>, dependencies);
    }
    case 'export':
      return (context) => runExport(context, compiled as CompiledEndpoint<AnyExport>, dependencies);
    case 'feed': {
      const run = endpoint.media === 'stream' ? runStream : runFeed;
      return (context) => run(context, compiled as CompiledEndpoint<AnyFeed>, dependencies);
    }
    case 'write':
      return (context) => runWrite(context, compiled as CompiledEndpoint<AnyWrite>, dependencies);
    case 'external':
      return (context) => runExternal(context, compiled as CompiledEndpoint<AnyExternal>, dependencies);
    case 'upload':
      return (context) => runUpload(context, compiled as CompiledEndpoint<AnyUpload>, dependencies);
  }
}
