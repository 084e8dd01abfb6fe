import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadGeography } from '@profile-service/db/geography';
import { startIdentityProvider } from '@profile-service/local-stack';
import pg from 'pg';
import { quickKey } from '../../../../test/quick-key.ts';
import { serviceClientConfig } from '../../local/embedded-settings.ts';
import { startService } from '../../src/service/service.ts';
import { type Caller, makeCallers } from './callers.ts';
import { protectFixtures } from './protect.ts';
import { type People, makePeople } from './people.ts';
import { replenish } from './records.ts';
import { first, ownClient, settingsOf } from './settings.ts';

/** The service, with a few records that no request can change. */
export interface World {
  /** Address of the service. */
  url: string;
  callers: readonly Caller[];
  /** Creates records of each kind that all callers see, because earlier ones may have been deleted. */
  replenish(): Promise<void>;
  stop(): Promise<void>;
}

const longestRunSeconds = 7 * 24 * 60 * 60;

/** Starts the service on a migrated database, with its own identity provider and storage. */
export async function startWorld(databaseUrl: string): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-service-fuzz-'));
  await loadGeography(databaseUrl);
  const identity = await startIdentityProvider({
    keys: [quickKey()],
    clients: [serviceClientConfig(ownClient)],
    users: [{ email: first.email, firstName: 'First', lastName: 'Global' }],
  });
  const service = await startService(settingsOf(databaseUrl, identity, folder));
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const sign = (claims: Record<string, unknown>) => identity.sign(claims, { expiresIn: longestRunSeconds });
  const globalSubject = identity.users().find(({ email }) => email === first.email)?.id ?? '';
  const people: People = await makePeople(service.url, await sign({ sub: globalSubject, azp: 'web', sid: 'first' }));
  await protectFixtures(pool, people);
  return {
    url: service.url,
    callers: await makeCallers(sign, globalSubject, people),
    replenish: () => replenish(service.url, sign, pool, people),
    async stop() {
      await service.stop();
      await Promise.all([identity.stop(), pool.end()]);
      await rm(folder, { recursive: true });
    },
  };
}
