import { median } from '../load/statistics.ts';
import type { WindowResult } from '../load/window.ts';
import type { Options } from '../options.ts';
import type { SizeName } from '../data/size.ts';
import type { ServerKind, Stage } from '../servers/stage.ts';

const connections = 8;
const warmSeconds = 0.5;

/** One of the sides of a comparison. */
export interface Side {
  server: ServerKind;
  work: string;
}

/** The figures of one side: medians over the rounds. */
export interface Comparison {
  subject: WindowResult;
  reference: WindowResult | undefined;
  /** Server CPU per request, subject / reference: the median over the rounds. */
  cpuRatio: number | undefined;
  /** Requests per second, subject / reference: the median over the rounds. */
  throughputRatio: number | undefined;
}

/** Measures two sides alternately, A B A B. */
export async function compare(
  stage: Stage,
  size: SizeName,
  subject: Side,
  reference: Side | undefined,
  options: Options,
): Promise<Comparison> {
  const sides = reference ? [subject, reference] : [subject];
  // Both are warm before the first round.
  for (const side of sides) await runWindow(stage, size, side, 2 * warmSeconds);
  const rounds: WindowResult[][] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const results: WindowResult[] = [];
    for (const side of sides) results.push(await runWindow(stage, size, side, options.seconds));
    rounds.push(results);
  }
  const ratio = (of: (result: WindowResult) => number) =>
    reference && median(rounds.map(([a, b]) => (a && b ? of(a) / of(b) : Number.NaN)));
  return {
    subject: medianOf(rounds.flatMap(([result]) => result ?? [])),
    reference: reference && medianOf(rounds.flatMap(([, result]) => result ?? [])),
    cpuRatio: ratio(({ serverCpu }) => serverCpu),
    throughputRatio: ratio(({ perSecond }) => perSecond),
  };
}

async function runWindow(stage: Stage, size: SizeName, { server, work }: Side, seconds: number): Promise<WindowResult> {
  const { pid, port } = await stage.serverOf(server, size);
  return stage.generator.run({
    work,
    world: await stage.worldOf(size),
    ...{ port, server: pid, postmaster: stage.postgres.postmaster, connections, warmSeconds, seconds },
  });
}

function medianOf(results: WindowResult[]): WindowResult {
  const of = (name: keyof WindowResult) => median(results.map((result) => result[name]));
  return {
    ...{ requests: of('requests'), perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') },
    ...{ serverCpu: of('serverCpu'), postgresCpu: of('postgresCpu') },
  };
}
