import { join } from 'node:path';
import { freePort } from '../../test/free-port.ts';
import { startGenerator } from '../load/generator.ts';
import type { Environment } from '../servers/environment.ts';
import { lowerPriority, moveProcesses } from '../servers/processors.ts';
import type { Server } from '../servers/server.ts';
import type { World } from '../work/world.ts';
import type { Stream, StreamsRequest, StreamsResult } from './stream.ts';

const size = 'load-test';
const mostConnections = 4_000;

/** The running service under test. */
export interface Subject {
  world: World;
  server: Server;
  managementPort: number;
  /** On which the inspector listens after SIGUSR1. */
  inspectorPort: number;
  databaseUrl: string;
  postgresVersion: string;
  /** From now on, PostgreSQL does not delay the load generator, with which it shares the processors: that would lengthen the measured durations. */
  preferGenerator(): void;
  /** Sends the streams at once for some seconds. @param maxConnections default: 4,000 */
  send(streams: readonly Stream[], seconds: number, maxConnections?: number): Promise<StreamsResult>;
}

/** Starts the service with its real parts. @param disposables gets what must be stopped */
export async function startSubject(environment: Environment, disposables: AsyncDisposableStack): Promise<Subject> {
  const world = await environment.worldOf(size);
  const managementPort = await freePort();
  const inspectorPort = await freePort();
  const settings = { MANAGEMENT_PORT: String(managementPort), NODE_OPTIONS: `--inspect-port=${inspectorPort}` };
  const server = disposables.adopt(await environment.startAnother('service', size, { settings }), ({ stop }) => stop());
  const generator = disposables.adopt(startGenerator<StreamsRequest, StreamsResult>(join(import.meta.dirname, 'process.ts')), ({ stop }) =>
    stop(),
  );
  moveProcesses([generator.pid, environment.postgres.postmaster], 'others');
  return {
    world,
    server,
    managementPort,
    inspectorPort,
    databaseUrl: await environment.databaseOf(size),
    postgresVersion: environment.postgres.version,
    preferGenerator: () => lowerPriority(environment.postgres.postmaster),
    send: (streams, seconds, maxConnections = mostConnections) =>
      generator.run({ world, port: server.port, seconds, streams, maxConnections }),
  };
}
