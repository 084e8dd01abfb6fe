import { resolve } from 'node:path';
import { authorityIn, migrate } from '@profile-service/db';
import { loadGeography } from '@profile-service/db/geography';
import { startService } from '../src/service.ts';
import { readSettings } from '../src/settings.ts';
import { banner } from './banner.ts';
import { isFree } from './ports.ts';
import { reasonOf, StartRefusal } from './refusal.ts';
import { seedDemoWorld } from './seed.ts';
import { startStandIns } from './stand-ins.ts';

/** Behind `npm start`: the service on embedded stand-ins for whatever is not given, with a demo world in it. */
const set = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
const given: NodeJS.ProcessEnv = { PORT: '3000', LOG_LEVEL: 'warn', ...set };
const dataDir = resolve(given['DATA_DIR'] ?? '.data');
const stops: (() => Promise<void>)[] = [];
let stopping: Promise<never> | undefined;

async function stopAll(code: number): Promise<never> {
  for (const stopPart of stops.splice(0).toReversed()) await stopPart().catch(console.error);
  process.exit(code);
}
const stop = (code: number): Promise<never> => (stopping ??= stopAll(code));

// One Ctrl-C reaches this process more than once: from the terminal, and from npm and the bootstrap, which pass it on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

try {
  const port = Number(given['PORT']);
  if (!(port >= 1 && port < 65_535)) throw new StartRefusal('PORT must be from 1 to 65534: the identity provider takes the one after it');
  if (!(await isFree(port, given['HOST'] ?? '0.0.0.0'))) {
    throw new StartRefusal(`Port ${given['PORT']} is in use: end what listens there, or choose another one with PORT`);
  }
  const standIns = await startStandIns(given, dataDir, port + 1);
  stops.push(() => standIns.stop());
  const settings = readSettings({ PUBLIC_URL: `http://localhost:${given['PORT']}`, ...standIns.environment });
  const authority = authorityIn(settings.DATABASE_CA_FILE);
  await migrate(settings.DATABASE_URL, authority);
  await loadGeography(settings.DATABASE_URL, { ...authority, onlyFirst: true });
  const service = await startService(settings);
  stops.push(() => service.stop());
  if (standIns.identity) {
    const { realmUrl, mailboxUrl } = standIns.identity;
    const database = { connectionString: settings.DATABASE_URL, ...authority };
    await seedDemoWorld(service.url, realmUrl, database).catch((error: unknown) =>
      console.warn(`The demo world is not complete: ${String(error)}`),
    );
    console.log(banner({ service: service.url, realm: realmUrl, mailbox: mailboxUrl }));
  } else {
    console.log(`\n  Profile service    ${service.url}\n  API reference      ${service.url}/docs\n`);
  }
} catch (error) {
  if (!stopping) console.error(reasonOf(error, dataDir));
  await stop(1);
}
