import { resolve } from 'node:path';
import { migrate } from '@profile-service/db';
import { loadGeography } from '@profile-service/db/geography';
import { startService } from '../src/service.ts';
import { readSettings, SettingsError } from '../src/settings.ts';
import { banner } from './banner.ts';
import { seedDemoWorld } from './seed.ts';
import { startStandIns } from './stand-ins.ts';

/** Behind `npm start`: the service on embedded stand-ins for whatever is not given, with a demo world in it. */
const given: NodeJS.ProcessEnv = { PORT: '3000', LOG_LEVEL: 'warn', ...process.env };
const dataDir = resolve(given['DATA_DIR'] ?? '.data');
const stops: (() => Promise<void>)[] = [];

async function stop(code: number): Promise<never> {
  for (const stopPart of stops.splice(0).toReversed()) await stopPart();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop(0));

try {
  const standIns = await startStandIns(given, dataDir);
  stops.push(() => standIns.stop());
  const settings = readSettings({ PUBLIC_URL: `http://localhost:${given['PORT']}`, ...standIns.environment });
  await migrate(settings.DATABASE_URL);
  await loadGeography(settings.DATABASE_URL, { onlyFirst: true });
  const service = await startService(settings);
  stops.push(() => service.stop());
  if (standIns.identity) {
    const { realmUrl, mailboxUrl } = standIns.identity;
    await seedDemoWorld(service.url, realmUrl);
    console.log(banner({ service: service.url, realm: realmUrl, mailbox: mailboxUrl }));
  } else {
    console.log(`\n  Profile service    ${service.url}\n  API reference      ${service.url}/docs\n`);
  }
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  await stop(1);
}
