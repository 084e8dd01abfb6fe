import type { Storage } from './storage.ts';

/** Called after each storage operation with its duration in seconds, and with the error if it failed. */
export type OnCall = (operation: string, seconds: number, error?: Error) => void;

/** Runs a call of the storage, such as in a span of a trace. */
export type TraceCall = <T>(operation: string, work: () => T) => T;

const untraced: TraceCall = (_operation, work) => work();

/**
 * Wraps a storage to report its operations. An upload whose content throws an error counts as successful: the storage has not failed.
 * @param trace runs each operation, for traces
 */
export function observeStorage(storage: Storage, onCall: OnCall, trace: TraceCall = untraced): Storage {
  const call = <T>(operation: string, work: () => Promise<T>): Promise<T> => trace(operation, () => report(operation, work));

  async function report<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    try {
      const result = await work();
      onCall(operation, seconds());
      return result;
    } catch (error) {
      onCall(operation, seconds(), error as Error);
      throw error;
    }
  }

  return {
    check: () => call('check', () => storage.check()),
    async put(key, content, contentType) {
      const source = captureFailure(content);
      await call('put', async () => {
        try {
          await storage.put(key, source.content, contentType);
        } catch (error) {
          if (!source.failure) throw error;
        }
      });
      // Throw the original error of the content: the storage may have wrapped it.
      if (source.failure) throw source.failure;
    },
    open: (key, range) => call('open', () => storage.open(key, range)),
    copy: (from, to, options) => call('copy', () => storage.copy(from, to, options)),
    remove: (key) => call('remove', () => storage.remove(key)),
    has: (key) => call('head', () => storage.has(key)),
    list: (prefix, pageSize) => traceEachPage(storage.list(prefix, pageSize), trace),
    abortUploads: (prefix, before) => trace('abort-uploads', () => storage.abortUploads(prefix, before)),
    close: storage.close,
  };
}

/** Traces the call that each page of a list takes. */
async function* traceEachPage<Page>(pages: AsyncIterable<Page>, trace: TraceCall): AsyncGenerator<Page> {
  const iterator = pages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await trace('list', () => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Passes the content on and keeps the error that it throws. */
function captureFailure(content: AsyncIterable<Uint8Array>): { content: AsyncIterable<Uint8Array>; failure: Error | undefined } {
  let failure: Error | undefined;
  const passOn = async function* () {
    try {
      yield* content;
    } catch (error) {
      failure = error as Error;
      throw error;
    }
  };
  return {
    content: passOn(),
    get failure() {
      return failure;
    },
  };
}
