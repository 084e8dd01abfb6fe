import { migrate } from '@profile-service/db';
import { loadGeography } from '@profile-service/db/geography';
import { databaseConnections } from '../src/service/database-connections.ts';
import { type Service, startService } from '../src/service/service.ts';
import { readSettings } from '../src/settings.ts';
import { banner } from './banner.ts';
import type { EmbeddedServices } from './embedded.ts';
import { demoLandingPage } from './landing-page.ts';
import { createProgress, type Progress } from './progress.ts';
import { seedDemoData } from './seed.ts';

/**
 * Migrates the database, loads the geography, starts the service, and prints its addresses. Creates the demo data if the identity provider is embedded.
 * @param onStarted gets the service as soon as it runs
 */
export async function serve(
  { environment, identity }: EmbeddedServices,
  onStarted: (service: Service) => void,
  progress: Progress = createProgress(false),
): Promise<void> {
  const settings = readSettings({ PUBLIC_URL: `http://localhost:${environment['PORT']}`, ...environment });
  const { direct } = databaseConnections(settings);
  const { connectionString, ...authority } = direct;
  await progress('Migrating the database', () => migrate(connectionString, authority));
  await progress('Loading states and cities', () => loadGeography(connectionString, { ...authority, onlyFirst: true }));
  const addresses = identity && { service: settings.PUBLIC_URL ?? '', realm: identity.realmUrl, mailbox: identity.mailboxUrl };
  const options = addresses ? { landing: demoLandingPage(addresses) } : {};
  const service = await progress('Starting the service', () => startService(settings, options));
  onStarted(service);
  if (!identity) return console.log(`\n  Profile service    ${service.url}\n  API reference      ${service.url}/docs\n`);
  const { realmUrl, mailboxUrl } = identity;
  await progress('Creating demo data', () => seedDemoData(service.url, realmUrl, direct)).catch((error: unknown) =>
    console.warn(`The demo data is not complete. The next start completes it. ${String(error)}`),
  );
  console.log(banner({ service: service.url, realm: realmUrl, mailbox: mailboxUrl }, environment['HOST']));
}
