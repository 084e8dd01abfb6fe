import type { SizeName } from '../data/size.ts';
import { median } from '../load/statistics.ts';
import type { WindowResult } from '../load/window.ts';
import type { Options } from '../options.ts';
import type { ServerKind, Environment } from '../servers/environment.ts';

/** As many requests as the service runs at once for one tenant. With more, the benchmark would measure the queue of the tenant's requests. */
export const connections = 5;
const warmSeconds = 0.2;
/** How long both sides run before the first round: V8 optimizes what they execute, and the caches fill. */
const firstWarmSeconds = 3;

/** One of the sides of a comparison. */
export interface Side {
  server: ServerKind;
  work: string;
}

/** The figures of both sides: medians over the rounds. */
export interface Comparison {
  subject: WindowResult;
  reference: WindowResult;
  /** Server CPU per request, subject / reference: the median over the rounds. */
  cpuRatio: number;
  /** CPU of server and PostgreSQL per request, subject / reference: the median over the rounds. */
  totalCpuRatio: number;
  /** Requests per second, subject / reference: the median over the rounds. */
  throughputRatio: number;
}

/** Sends requests to both sides without measuring them. */
export async function warmUp(environment: Environment, size: SizeName, sides: [Side, Side], seconds: number): Promise<void> {
  for (const side of sides) await runWindow(environment, { ...side, size, connections, warmSeconds: 0, seconds });
}

/** The results of both sides in one round. */
export interface Round {
  subject: WindowResult;
  reference: WindowResult;
}

/** Measures two sides alternately, A B A B. @param prepare runs before each measurement */
export async function alternate(
  environment: Environment,
  size: SizeName,
  sides: [Side, Side],
  { rounds, seconds }: Options,
  prepare?: (side: keyof Round) => Promise<unknown>,
): Promise<Round[]> {
  const [subject, reference] = sides;
  const run = async (name: keyof Round, { server, work }: Side) => {
    await prepare?.(name);
    return runWindow(environment, { server, size, work, connections, warmSeconds, seconds });
  };
  const results: Round[] = [];
  await warmUp(environment, size, sides, firstWarmSeconds);
  while (results.length < rounds) results.push({ subject: await run('subject', subject), reference: await run('reference', reference) });
  return results;
}

/** Compares two sides that are measured alternately. */
export async function compare(environment: Environment, size: SizeName, sides: [Side, Side], options: Options): Promise<Comparison> {
  const results = await alternate(environment, size, sides, options);
  const ratio = (figure: (window: WindowResult) => number) =>
    median(results.map((round) => figure(round.subject) / figure(round.reference)));
  return {
    subject: mediansOf(results.map((round) => round.subject)),
    reference: mediansOf(results.map((round) => round.reference)),
    cpuRatio: ratio(({ serverCpu }) => serverCpu),
    totalCpuRatio: ratio(({ serverCpu, postgresCpu }) => serverCpu + postgresCpu),
    throughputRatio: ratio(({ perSecond }) => perSecond),
  };
}

interface Window {
  server: ServerKind;
  size: SizeName;
  work: string;
  connections: number;
  warmSeconds: number;
  seconds: number;
  maxRequests?: number;
}

/** Measures one server for some time. */
export async function runWindow(environment: Environment, { server, size, ...window }: Window): Promise<WindowResult> {
  const { pid, port } = await environment.serverOf(server, size);
  const world = await environment.worldOf(size);
  try {
    return await environment.generator.run({ ...window, world, port, server: pid, postmaster: environment.postgres.postmaster });
  } finally {
    await environment.removeUploads(size);
  }
}

function mediansOf(results: WindowResult[]): WindowResult {
  const of = (figure: keyof WindowResult) => median(results.map((result) => result[figure]));
  return {
    requests: of('requests'),
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    serverCpu: of('serverCpu'),
    postgresCpu: of('postgresCpu'),
  };
}
