import { createHash } from 'node:crypto';
import type { IncomingFile, StagedFile } from '../files.ts';
import type { AnyHandler, HandlerDependencies } from '../handler.ts';
import type { ParseInTurn } from '../call.ts';
import type { RequestContext } from '../context.ts';
import { defineStep, runSteps, type Step } from '../run.ts';

/** Hashes the file while it arrives if the call has an idempotency key. */
function withHash(context: RequestContext, file: IncomingFile): IncomingFile {
  if (context.call.header('idempotency-key') === undefined) return file;
  const hash = createHash('sha256');
  context.fileHash = hash;
  const { content } = file;
  return {
    ...file,
    content: (async function* () {
      for await (const chunk of content) {
        hash.update(chunk);
        yield chunk;
      }
    })(),
  };
}

const rejectJson: ParseInTurn = () => Promise.reject(new Error('An upload has no JSON body'));

/**
 * Reads the form of an upload and stores its file while it arrives, then runs the steps. If a step fails or the client disconnects, it deletes the
 * stored file (ATTACHMENTS-7).
 */
export const withUpload = ({ receive }: AnyHandler, dependencies: HandlerDependencies, steps: readonly Step[]): Step =>
  defineStep('with-upload', async (context) => {
    if (!receive) throw new Error(`The handler of ${context.operation} stores no file`);
    let staged: StagedFile | undefined;
    const disconnected = new AbortController();
    const stopListening = context.abort.onAbort(() => disconnected.abort(context.abort.reason));
    try {
      context.rawInput = await context.call.readInput(rejectJson, async (file) => {
        staged = await receive({ ...withHash(context, file), signal: disconnected.signal }, dependencies);
        context.hasStarted = true;
        return staged;
      });
      await runSteps(context, steps);
    } finally {
      stopListening();
      // Does nothing if the handler has kept the file. A call that repeats another one keeps none.
      await staged?.discard();
    }
  });
