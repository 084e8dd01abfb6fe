import { ProblemError } from '@profile-service/contracts';

/** Of the answers of one batch together, encoded: they are made one by one, and lie in memory until the last one is there. */
const mostBytes = 16 * 1024 * 1024;

/** The answers of one batch. */
export interface BatchAnswers {
  /** Before a call does anything: throws PAYLOAD_TOO_LARGE where the others have filled the batch. */
  refuseMore(): void;
  /**
   * Counts an answer and gives it back; the first one passes, however large it is.
   * @param isDone whether the call has changed something: then it is answered in any case
   * @throws PAYLOAD_TOO_LARGE where it is too large to go with the others
   */
  add(output: unknown, isDone: boolean): unknown;
}

export function measureBatch(): BatchAnswers {
  let total = 0;
  return {
    refuseMore() {
      if (total >= mostBytes) throw tooLarge();
    },
    add(output, isDone) {
      const bytes = Buffer.byteLength(JSON.stringify(output) ?? '');
      if (!isDone && total > 0 && total + bytes > mostBytes) throw tooLarge();
      total += bytes;
      return output;
    },
  };
}

const tooLarge = () =>
  new ProblemError('PAYLOAD_TOO_LARGE', {
    detail: `The answers of a batch have at most ${mostBytes} bytes together: ask for this one apart`,
  });
