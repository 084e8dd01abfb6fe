import type { Environment } from '../environment/environment.ts';
import { findLibrary } from '../environment/library.ts';
import type { Fault } from '../fault.ts';

const part = 'Clock';

/** Starts the first instance again, with a clock that differs from that of all other parts. */
async function restart({ instances, settings }: Environment, offset: string | undefined): Promise<void> {
  await instances.end(0, 'SIGTERM');
  const preload = `${await findLibrary('libfaketime.so.1', 'libfaketime')}:${settings['LD_PRELOAD']}`;
  await instances.start(0, offset === undefined ? {} : { LD_PRELOAD: preload, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' });
}

const withClock = (name: string, offset: string): Fault => ({
  part,
  name: `one of two instances ${name}`,
  allowed: [],
  prepare: (environment) => restart(environment, offset),
  begin: async () => undefined,
  end: async () => undefined,
  restore: (environment) => restart(environment, undefined),
});

export const clockFaults: readonly Fault[] = [withClock('an hour ahead', '+1h'), withClock('an hour behind', '-1h')];
