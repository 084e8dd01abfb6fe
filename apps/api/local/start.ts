import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startEmbeddedServices } from './embedded.ts';
import { readPort, requireIdentityPort, requireLocalhost } from './ports.ts';
import { createProgress } from './progress.ts';
import { serve } from './serve.ts';
import { describeError } from './start-error.ts';

/** The program of `npm start`: the service with demo data, and an embedded part for each one that the environment does not name. */
const nonEmpty = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
const environment: NodeJS.ProcessEnv = { PORT: '3000', LOG_LEVEL: 'warn', ...nonEmpty };
const dataDir = resolve(environment['DATA_DIR'] ?? '.data');
const started: { stop(): Promise<void> }[] = [];
let stopping: Promise<never> | undefined;

async function stopAll(code: number): Promise<never> {
  for (const part of started.splice(0).toReversed()) await part.stop().catch(console.error);
  process.exit(code);
}
const stop = (code: number): Promise<never> => (stopping ??= stopAll(code));

// One Ctrl-C sends several signals: the terminal, npm and the bootstrap each send one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
// A stop in the middle of the start ends the database under a connection that is in use.
process.on('uncaughtException', (error) => {
  if (!stopping) console.error(error);
  void stop(1);
});

try {
  const { HOST: host } = environment;
  const isEmbedded = !environment['IDENTITY_REALM_URL'];
  if (isEmbedded && host) requireLocalhost(host);
  const port = await readPort(environment['PORT'] ?? '', host ?? '0.0.0.0');
  if (isEmbedded) await requireIdentityPort(port + 1, host ?? '127.0.0.1');
  const progress = createProgress(!existsSync(join(dataDir, 'identity')));
  const embedded = await startEmbeddedServices(environment, dataDir, port + 1, progress);
  started.push(embedded);
  await serve(embedded, (service) => started.push(service), progress);
} catch (error) {
  if (!stopping) console.error(describeError(error, dataDir));
  await stop(1);
}
