import { EarlyExitError, type ServiceProcess } from '../../test/support/process.ts';

/** Two instances of the built service. */
export type Instances = Awaited<ReturnType<typeof startInstances>>;

/**
 * Starts the instances.
 * @param startService starts a process of the service with these variables  @param ports one for each instance
 */
export async function startInstances(
  startService: (environment: Record<string, string>) => Promise<ServiceProcess>,
  ports: readonly number[],
) {
  /** How instances ended that no fault has ended. One that ended before it listened was started again. */
  const unexpectedExits: string[] = [];
  /** The processes that a fault, or the end of the suite, has ended. */
  const ended = new WeakSet<ServiceProcess>();
  /** Why the ended processes responded with 500. */
  const internalErrors: string[] = [];
  const watch = async (index: number, instance: ServiceProcess) => {
    const reason = await instance.exited;
    internalErrors.push(...internalErrorsOf(instance));
    const lastLine = JSON.stringify(instance.log.at(-1));
    if (!ended.has(instance)) unexpectedExits.push(`instance ${index + 1} exited with ${reason}. Its last log line: ${lastLine}`);
  };
  const start = async (index: number, extra: Record<string, string> = {}) => {
    const startOnce = () => startService({ ...extra, PORT: String(ports[index]) });
    const instance = await startOnce().catch((error: unknown) => {
      if (!(error instanceof EarlyExitError)) throw error;
      // As a supervisor does, so that the other faults can run.
      unexpectedExits.push(`instance ${index + 1}: ${error.message}`);
      return startOnce();
    });
    void watch(index, instance);
    return instance;
  };
  const running: ServiceProcess[] = await Promise.all(ports.map((_, index) => start(index)));
  const urls = ports.map((port) => `http://localhost:${port}`);
  return {
    /** Base URLs, which stay the same. An instance may be down. */
    urls,
    /** Indexes of the instances that get the requests of the load. A fault removes one as a load balancer does. */
    targets: new Set(ports.keys()),
    unexpectedExits,
    /** Why instances responded with 500. */
    internalErrors: () => [...internalErrors, ...running.flatMap((instance) => (ended.has(instance) ? [] : internalErrorsOf(instance)))],
    /** Starts an instance again. @param extra variables besides those of all instances */
    start: async (index: number, extra?: Record<string, string>) => void (running[index] = await start(index, extra)),
    /** Ends an instance. @returns the exit code of SIGTERM */
    async end(index: number, signal: 'SIGTERM' | 'SIGKILL') {
      const instance = running[index];
      if (!instance) return null;
      ended.add(instance);
      if (signal === 'SIGTERM') return instance.stop();
      await instance.kill();
      return null;
    },
    /** Stops (SIGSTOP) or continues (SIGCONT) an instance. */
    signal: (index: number, signal: 'SIGSTOP' | 'SIGCONT') => void process.kill(running[index]?.pid ?? 0, signal),
    /** The status of `/health/ready`; undefined if there is no response. */
    readiness: (index: number) =>
      fetch(`${urls[index]}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
        ({ status }) => status,
        () => undefined,
      ),
    async stop() {
      for (const instance of running) ended.add(instance);
      await Promise.all(running.map((instance) => instance.kill()));
    },
  };
}

const internalErrorsOf = ({ log }: ServiceProcess): string[] =>
  log.flatMap(({ status, err }) => (status === 500 ? [`an instance responded with 500: ${err?.stack}`] : []));
