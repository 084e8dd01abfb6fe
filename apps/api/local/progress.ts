/** Runs a step of the start and returns its result. */
export type Progress = <T>(text: string, work: () => Promise<T>) => Promise<T>;

const longStepMs = 2_000;

/**
 * Returns a function that prints the text of a step and runs it. Prints plain lines, for terminals and pipes alike.
 * @param isFirst whether to print each step at once; otherwise only one that takes 2 seconds. So a usual start prints nothing
 */
export function createProgress(isFirst: boolean): Progress {
  return async (text, work) => {
    const line = `${text} …`;
    if (isFirst) console.log(line);
    const timer = isFirst ? undefined : setTimeout(() => console.log(line), longStepMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  };
}
