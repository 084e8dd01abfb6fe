import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../observability/log.ts';
import type { Answers, MessageToPrimary, MessageToWorker, Question } from './messages.ts';

/** Pause before a worker is replaced, in milliseconds. It doubles each time a worker ends within `stableMs` of its start. */
const [shortestPauseMs, longestPauseMs, stableMs] = [1_000, 30_000, 60_000];
/** How long a worker may take to answer, in milliseconds. */
const answerMs = 4_000;

/** A worker has ended before it listened. It has printed the reason, unless a signal ended it. */
export class WorkerStartError extends Error {
  readonly isReported: boolean;

  constructor(code: number | null, signal: string | null) {
    super(`A worker process ended before it listened: ${signal ?? `exit code ${code}`}`);
    this.isReported = signal === null;
  }
}

export interface WorkersOptions {
  log: Log;
  /** How long the workers may take to stop, in milliseconds. They limit themselves to less. */
  stopMs: number;
  /** Called with the id of each worker that has ended. */
  onEnd: (id: number) => void;
}

/** The workers of the cluster. The first one runs the jobs. A worker that ends is replaced until `stop`. */
export class Workers {
  readonly #options: WorkersOptions;
  /** By number. A worker that has ended is absent until it is replaced. */
  readonly #workers = new Map<number, Worker>();
  readonly #listening = new Set<Worker>();
  readonly #waiting = new Map<number, (answer: Answers[Question]) => void>();
  readonly #stopping = new AbortController();
  #lastId = 0;

  constructor(options: WorkersOptions) {
    this.#options = options;
    // Unlike JSON, it has NaN, the value of some metrics.
    cluster.setupPrimary({ serialization: 'advanced' });
  }

  /**
   * Starts the workers and returns the port on which they listen. The others start after the first one, so that an error is reported once.
   * @throws WorkerStartError
   */
  async start(count: number): Promise<number> {
    const port = await this.#start(1);
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => this.#start(index + 2)));
    for (const [number, worker] of this.#workers)
      this.#keepReplacing(number, worker).catch((error: unknown) =>
        this.#options.log.error({ worker: number, err: error }, 'a worker process is not replaced any more'),
      );
    return port;
  }

  /** Asks all workers that listen. The answer of a worker that does not respond in time is undefined. */
  async ask<Q extends Question>(question: Q): Promise<Map<number, Answers[Q] | undefined>> {
    const answers = [...this.#listening].map(async (worker) => [worker.id, await this.#ask(worker, question)] as const);
    return new Map(await Promise.all(answers));
  }

  /** Stops all workers and waits until they have ended. @throws if a step of a worker's stop has failed, which the worker has logged */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const running = [...this.#workers.values()].filter((worker) => !worker.isDead());
    const killAll = setTimeout(() => running.forEach((worker) => worker.process.kill('SIGKILL')), this.#options.stopMs);
    await Promise.all(
      running.map(async (worker) => {
        const ended = exitOf(worker);
        worker.process.kill('SIGTERM');
        await ended;
      }),
    );
    clearTimeout(killAll);
    const failed = running.filter((worker) => worker.process.exitCode);
    if (failed.length > 0) throw new Error(`${failed.length} worker processes could not stop without an error`);
  }

  /** Starts a worker. Resolves with its port when it listens. */
  #start(number: number): Promise<number> {
    const worker = cluster.fork();
    this.#workers.set(number, worker);
    // A message to a worker that has just died fails.
    worker.on('error', () => undefined);
    worker.on('message', (message: MessageToPrimary) => this.#receive(message));
    send(worker, { start: { number, runsJobs: number === 1 } });
    return new Promise((resolve, reject) => {
      worker.once('exit', (code: number | null, signal: string | null) => {
        this.#listening.delete(worker);
        this.#options.onEnd(worker.id);
        reject(new WorkerStartError(code, signal));
      });
      worker.once('listening', ({ port }) => {
        this.#listening.add(worker);
        resolve(port);
      });
    });
  }

  async #keepReplacing(number: number, first: Worker): Promise<void> {
    const { signal: stopping } = this.#stopping;
    let worker = first;
    let startedAt = performance.now();
    let pauseMs = shortestPauseMs;
    for (;;) {
      if (!worker.isDead()) await exitOf(worker);
      if (stopping.aborted) return;
      pauseMs = performance.now() - startedAt > stableMs ? shortestPauseMs : pauseMs;
      const { exitCode, signalCode } = worker.process;
      this.#options.log.error({ worker: number, exitCode, signal: signalCode, pauseMs }, 'a worker process ended and will be replaced');
      await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
      if (stopping.aborted) return;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      startedAt = performance.now();
      await this.#start(number).catch(() => undefined);
      worker = this.#workers.get(number) ?? worker;
    }
  }

  #receive(message: MessageToPrimary): void {
    if ('added' in message) {
      const runner = this.#workers.get(1);
      if (runner?.isConnected()) send(runner, { wake: message.added });
      return;
    }
    this.#waiting.get(message.id)?.(message.answer);
  }

  async #ask<Q extends Question>(worker: Worker, question: Q): Promise<Answers[Q] | undefined> {
    const id = (this.#lastId += 1);
    const answered = new AbortController();
    const answer = new Promise<Answers[Q]>((resolve) => this.#waiting.set(id, resolve as (answer: Answers[Question]) => void));
    send(worker, { id, question });
    const timeout = pause(answerMs, undefined, { signal: answered.signal }).catch(() => undefined);
    try {
      return await Promise.race([answer, timeout]);
    } finally {
      answered.abort();
      this.#waiting.delete(id);
    }
  }
}

function send(worker: Worker, message: MessageToWorker): void {
  worker.send(message);
}

/** Resolves when the process has ended. `once` of node:events would reject when a message to the process cannot be sent. */
const exitOf = (worker: Worker): Promise<void> => new Promise((resolve) => worker.process.once('exit', () => resolve()));
