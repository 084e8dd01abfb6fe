/** The time limits of a shutdown after SHUTDOWN_DELAY_SECONDS, in milliseconds. Each one leaves time for the next. */
export interface ShutdownTimes {
  /** For running requests and jobs. */
  drainMs: number;
  /** For all components to close. */
  closeMs: number;
}

/** Divides SHUTDOWN_TIMEOUT_SECONDS, after which the process has ended. */
export function shutdownTimes({ SHUTDOWN_TIMEOUT_SECONDS: seconds }: { SHUTDOWN_TIMEOUT_SECONDS: number }): ShutdownTimes {
  return { drainMs: (seconds - 3) * 1000, closeMs: (seconds - 1) * 1000 };
}
