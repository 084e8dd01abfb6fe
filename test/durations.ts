/** Durations of one kind of operation, in milliseconds. */
export interface Durations {
  name: string;
  times: number[];
}

/** Runs the work and adds its duration. */
export async function timed<Result>(times: number[], work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  times.push(performance.now() - startedAt);
  return result;
}

/** Runs the work `count` times, `parallel` at once. */
export async function repeat(count: number, parallel: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const loop = async () => {
    while (next < count) await work((next += 1));
  };
  await Promise.all(Array.from({ length: parallel }, loop));
}

/** One line for the console. */
export function describeDurations({ name, times }: Durations): string {
  const figure = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  const figures = `median ${figure(quantile(0.5))}, p99.9 ${figure(quantile(0.999))}, longest ${figure(quantile(1))}`;
  return `  ${name}: ${figures} (${times.length})`;
}
