/** Runs a step of the start and returns its result. */
export type Progress = <T>(text: string, work: () => Promise<T>) => Promise<T>;

const longStepMs = 2_000;

/**
 * Returns a function that prints the text of a step and runs it. Prints plain lines, for terminals and pipes alike.
 * @param isFirst whether to print each step at once; otherwise only one that takes 2 seconds. So a usual start prints nothing
 */
export function createProgress(isFirst: boolean, print: (line: string) => void = console.log): Progress {
  return async (text, work) => {
    const line = `${text} …`;
    if (isFirst) print(line);
    const timer = isFirst ? undefined : setTimeout(() => print(line), longStepMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  };
}
