import { ProblemError } from '@profile-service/contracts';
import { EncodedJson } from '../../operation/encoded-json.ts';

/** Bytes of all responses of a batch together, encoded. They are produced one by one and lie in memory until the last one is there. */
const maxBytes = 16 * 1024 * 1024;

/** The size of the responses of one batch. */
export interface BatchSize {
  /** Throws PAYLOAD_TOO_LARGE when the batch is full: the call does nothing then. */
  assertNotFull(): void;
  /**
   * Adds a response. The first one is accepted however large it is.
   * @param isWrite whether the call has changed something: then its response is accepted in any case
   * @throws PAYLOAD_TOO_LARGE when the response is too large to go with the others
   */
  add(output: unknown, isWrite: boolean): void;
}

export function createBatchSize(): BatchSize {
  let total = 0;
  return {
    assertNotFull() {
      if (total >= maxBytes) throw tooLarge();
    },
    add(output, isWrite) {
      const bytes = output instanceof EncodedJson ? output.size : Buffer.byteLength(JSON.stringify(output) ?? '');
      if (!isWrite && total > 0 && total + bytes > maxBytes) throw tooLarge();
      total += bytes;
    },
  };
}

const tooLarge = () =>
  new ProblemError('PAYLOAD_TOO_LARGE', {
    detail: `The responses of a batch have at most ${maxBytes} bytes together. Send this call alone.`,
  });
