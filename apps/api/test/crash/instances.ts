import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../test/free-port.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import type { World } from '../support/world.ts';

/** Two instances of the service on one database. Each is killed at random moments and started again. */
export interface Instances {
  /** Base URL of a random instance. It may be down. */
  url(): string;
  /** Whether the kills have ended, or an instance did not start again. */
  readonly isCalm: boolean;
  /** Number of kills so far. */
  readonly kills: number;
  /** Waits for the end of the kills. Both instances are up then. @throws Error if an instance did not start again */
  calm(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the instances. @param seconds how long they are killed */
export async function startInstances(world: World, seconds: number): Promise<Instances> {
  const ports = [await freePort(), await freePort()];
  let kills = 0;
  const start = (port: number) => startProcess({ ...world.environment, PORT: String(port) });
  const running: ServiceProcess[] = await Promise.all(ports.map(start));

  const until = Date.now() + seconds * 1_000;

  async function killAgainAndAgain(index: number): Promise<void> {
    while (Date.now() < until) {
      await pause(500 + Math.random() * 3_000);
      await running[index]?.kill();
      kills += 1;
      running[index] = await start(ports[index] ?? 0);
    }
  }
  let isCalm = false;
  const calming = Promise.all(ports.map((_, index) => killAgainAndAgain(index)));
  const end = () => (isCalm = true);
  void calming.then(end, end);
  return {
    get isCalm() {
      return isCalm;
    },
    url: () => `http://localhost:${ports[Math.floor(Math.random() * ports.length)]}`,
    get kills() {
      return kills;
    },
    calm: async () => void (await calming),
    stop: async () => void (await Promise.all(running.map((instance) => instance.stop()))),
  };
}
