import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../test/free-port.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import type { World } from '../support/world.ts';

/** Two instances of the service on one database. Each is killed at random moments and started again. */
export interface Instances {
  /** Base URL of a random instance. It may be down. */
  url(): string;
  /** Number of kills so far. */
  readonly kills: number;
  /** Ends the kills. Both instances are up then. */
  calm(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the instances. @param until time at which the kills end, in milliseconds since 1970 */
export async function startInstances(world: World, until: number): Promise<Instances> {
  const ports = [await freePort(), await freePort()];
  let kills = 0;
  const start = (port: number) => startProcess({ ...world.environment, PORT: String(port) });
  const running: ServiceProcess[] = await Promise.all(ports.map(start));

  async function killAgainAndAgain(index: number): Promise<void> {
    while (Date.now() < until) {
      await pause(500 + Math.random() * 3_000);
      await running[index]?.kill();
      kills += 1;
      running[index] = await start(ports[index] ?? 0);
    }
  }
  const calming = Promise.all(ports.map((_, index) => killAgainAndAgain(index)));
  return {
    url: () => `http://localhost:${ports[Math.floor(Math.random() * ports.length)]}`,
    get kills() {
      return kills;
    },
    calm: async () => void (await calming),
    stop: async () => void (await Promise.all(running.map((instance) => instance.stop()))),
  };
}
