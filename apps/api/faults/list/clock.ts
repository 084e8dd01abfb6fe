import { glob } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../environment/environment.ts';
import type { Fault } from '../fault.ts';

const part = 'Clock';
/** Longer than two checks of the health, in milliseconds. */
const longestCheckMs = 12_000;

/** Starts the first instance again, with a clock that differs from that of all other parts. */
async function restart({ instances }: Environment, offset: string | undefined): Promise<void> {
  await instances.end(0, 'SIGTERM');
  const faked = async (FAKETIME: string) => ({ LD_PRELOAD: await findLibrary(), FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC: '1' });
  await instances.start(0, offset === undefined ? {} : await faked(offset));
}

/** Returns the path of libfaketime, which changes the time that a process sees. */
async function findLibrary(): Promise<string> {
  for await (const path of glob('/usr/lib/*/faketime/libfaketime.so.1')) return path;
  throw new Error('libfaketime is missing: install it (Debian: apt-get install libfaketime)');
}

/** Waits until the health of the instance reports its clock, which makes the identity provider `down` (D-99). */
async function untilReported({ instances }: Environment): Promise<void> {
  const identity = async () => {
    const response = await fetch(`${instances.urls[0]}/health/ready`);
    return ((await response.json()) as { checks: Record<string, string> }).checks['identity'];
  };
  for (const end = performance.now() + longestCheckMs; (await identity()) !== 'down'; await pause(100))
    if (performance.now() > end) throw new Error('An instance with a wrong clock does not report it');
}

const withClock = (name: string, offset: string): Fault => ({
  part,
  name: `one of two instances ${name}`,
  allowed: [],
  prepare: (environment) => restart(environment, offset),
  begin: untilReported,
  end: async () => undefined,
  restore: (environment) => restart(environment, undefined),
});

export const clockFaults: readonly Fault[] = [withClock('an hour ahead', '+1h'), withClock('an hour behind', '-1h')];
