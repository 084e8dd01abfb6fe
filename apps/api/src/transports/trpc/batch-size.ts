import { ProblemError } from '@profile-service/contracts';

/** Limit of all encoded responses of a batch together, in bytes. They stay in memory until the last one is ready (D-30). */
const maxBytes = 16 * 1024 * 1024;

/** Limits the total size of the responses of one batch. */
export interface BatchSize {
  /** Throws PAYLOAD_TOO_LARGE when the limit is reached. Called before the handler runs. */
  assertNotFull(): void;
  /**
   * Adds a response. The first one may have any size.
   * @param bytes size of the encoded response
   * @param isWrite a write has already changed data, so its response is always accepted
   * @throws PAYLOAD_TOO_LARGE when the limit is exceeded
   */
  add(bytes: number, isWrite: boolean): void;
}

/** Starts with an empty batch. */
export function createBatchSize(): BatchSize {
  let total = 0;
  return {
    assertNotFull() {
      if (total >= maxBytes) throw tooLarge();
    },
    add(bytes, isWrite) {
      if (!isWrite && total > 0 && total + bytes > maxBytes) throw tooLarge();
      total += bytes;
    },
  };
}

const tooLarge = () =>
  new ProblemError('PAYLOAD_TOO_LARGE', {
    detail: `The responses of a batch are limited to ${maxBytes} bytes in total. Send this call in a request of its own.`,
  });
