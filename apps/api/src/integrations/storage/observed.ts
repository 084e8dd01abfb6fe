import type { Storage } from './storage.ts';

/** Called after each storage operation with its duration in seconds, and with the error if it failed. */
export type OnCall = (operation: string, seconds: number, error?: Error) => void;

/** The same storage, which reports its operations. An upload whose content fails is no failure of the storage. */
export function observed(storage: Storage, onCall: OnCall): Storage {
  async function call<T>(operation: string, work: () => Promise<T>): Promise<T> {
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
      const source = watch(content);
      await call('put', async () => {
        try {
          await storage.put(key, source.content, contentType);
        } catch (error) {
          if (!source.failure) throw error;
        }
      });
      // The caller gets the content's own error, not what the storage made of it.
      if (source.failure) throw source.failure;
    },
    open: (key, range) => call('open', () => storage.open(key, range)),
    copy: (from, to) => call('copy', () => storage.copy(from, to)),
    remove: (key) => call('remove', () => storage.remove(key)),
    has: (key) => call('head', () => storage.has(key)),
    list: storage.list,
    abortUploads: storage.abortUploads,
    close: storage.close,
  };
}

/** The same content, with the error that it threw. */
function watch(content: AsyncIterable<Uint8Array>): { content: AsyncIterable<Uint8Array>; failure: Error | undefined } {
  let failure: Error | undefined;
  const watched = async function* () {
    try {
      yield* content;
    } catch (error) {
      failure = error as Error;
      throw error;
    }
  };
  return {
    content: watched(),
    get failure() {
      return failure;
    },
  };
}
