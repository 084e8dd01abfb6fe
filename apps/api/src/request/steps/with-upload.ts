import { createHash, type Hash } from 'node:crypto';
import type { ParseLargeBody } from '../api-request.ts';
import type { RequestContext } from '../context.ts';
import type { IncomingFile, StagedFile } from '../files.ts';
import type { AnyUpload, HandlerDependencies } from '../handler.ts';
import type { RawInput } from '../input.ts';
import { defineStep } from '../step.ts';

/** The file with a hash of what has arrived. */
function withHash(file: IncomingFile, hash: Hash): IncomingFile {
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

const rejectJson: ParseLargeBody = () => Promise.reject(new Error('An upload has no JSON body'));

/**
 * Reads the form of an upload and stores its file while it arrives, then runs the work. If the work fails or the client disconnects, it deletes the stored file
 * (ATTACHMENTS-7).
 * @param work gets the input, and the hash of the file if the call has an idempotency key
 */
export const withUpload = defineStep(
  'with-upload',
  async <T>(
    context: RequestContext,
    { receive }: AnyUpload,
    files: Pick<HandlerDependencies, 'attachmentFiles' | 'importFiles'>,
    work: (rawInput: RawInput, fileHash: Hash | undefined) => Promise<T>,
  ): Promise<T> => {
    const { request } = context;
    const hash = request.header('idempotency-key') === undefined ? undefined : createHash('sha256');
    let staged: StagedFile | undefined;
    const disconnected = new AbortController();
    const stopListening = request.abort.onAbort(() => disconnected.abort(request.abort.reason));
    try {
      const rawInput = await request.readInput(rejectJson, async (file) => {
        staged = await receive({ ...(hash ? withHash(file, hash) : file), signal: disconnected.signal }, files);
        context.hasStarted = true;
        return staged;
      });
      context.rawInput = rawInput;
      return await work(rawInput, hash);
    } finally {
      stopListening();
      // Does nothing if the handler has kept the file. A call that repeats another one keeps none.
      await staged?.discard();
    }
  },
);
