import { EarlyExitError, type ServiceProcess, startProcess } from '../../test/support/process.ts';

/** Two instances of the built service. */
export interface Instances {
  /** Base URLs, which stay the same. An instance may be down. */
  readonly urls: readonly string[];
  /** Errors of starts that ended early. The instance was started again. */
  readonly earlyExits: string[];
  /** Starts an instance again. @param extra variables besides those of all instances */
  start(index: number, extra?: Record<string, string>): Promise<void>;
  /** Ends an instance. @returns the exit code of SIGTERM */
  end(index: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Stops (SIGSTOP) or continues (SIGCONT) an instance. */
  signal(index: number, signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** The status of `/health/ready`; undefined if there is no response. */
  readiness(index: number): Promise<number | undefined>;
  stop(): Promise<void>;
}

/**
 * Starts the instances.
 * @param program the built program  @param environment variables of all instances  @param ports one for each instance
 */
export async function startInstances(program: string, environment: Record<string, string>, ports: readonly number[]): Promise<Instances> {
  const earlyExits: string[] = [];
  const start = (index: number, extra: Record<string, string> = {}) => {
    const startOnce = () => startProcess({ ...environment, ...extra, PORT: String(ports[index]) }, program);
    return startOnce().catch((error: unknown) => {
      if (!(error instanceof EarlyExitError)) throw error;
      // As a supervisor does, so that the other faults can run.
      earlyExits.push(`instance ${index + 1}: ${error.message}`);
      return startOnce();
    });
  };
  const running: ServiceProcess[] = await Promise.all(ports.map((_, index) => start(index)));
  const urls = ports.map((port) => `http://localhost:${port}`);
  return {
    urls,
    earlyExits,
    start: async (index, extra) => void (running[index] = await start(index, extra)),
    async end(index, signal) {
      if (signal === 'SIGTERM') return (await running[index]?.stop()) ?? null;
      await running[index]?.kill();
      return null;
    },
    signal: (index, signal) => void process.kill(running[index]?.pid ?? 0, signal),
    readiness: (index) =>
      fetch(`${urls[index]}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
        ({ status }) => status,
        () => undefined,
      ),
    stop: async () => void (await Promise.all(running.map((instance) => instance.kill()))),
  };
}
