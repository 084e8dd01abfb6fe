import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadGeography } from '@profile-service/db/geography';
import { startIdentityProvider } from '@profile-service/local-stack';
import pg from 'pg';
import { quickKey } from '../../../../test/quick-key.ts';
import { ownClientConfig } from '../../local/stand-in-settings.ts';
import { startService } from '../../src/service.ts';
import { type Caller, makeCallers } from './callers.ts';
import { keepForEver } from './keep.ts';
import { type People, makePeople } from './people.ts';
import { tend } from './records.ts';
import { first, ownClient, settingsOf } from './settings.ts';

/** The real service with a small world in it that outlives whatever is asked of it. */
export interface World {
  /** Address of the service. */
  url: string;
  callers: readonly Caller[];
  /** Makes some records of each kind, within everybody's sight: whatever was there may have been removed. */
  tend(): Promise<void>;
  stop(): Promise<void>;
}

const longestRunSeconds = 7 * 24 * 60 * 60;

/** Starts the service on a migrated database, and on an identity provider and a storage folder of its own. */
export async function startWorld(databaseUrl: string): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-service-fuzz-'));
  await loadGeography(databaseUrl);
  const identity = await startIdentityProvider({
    keys: [quickKey()],
    clients: [ownClientConfig(ownClient)],
    users: [{ email: first.email, firstName: 'First', lastName: 'Global' }],
  });
  const service = await startService(settingsOf(databaseUrl, identity, folder));
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const sign = (claims: Record<string, unknown>) => identity.sign(claims, { expiresIn: longestRunSeconds });
  const globalSubject = identity.users().find(({ email }) => email === first.email)?.id ?? '';
  const people: People = await makePeople(service.url, await sign({ sub: globalSubject, azp: 'web', sid: 'first' }));
  await keepForEver(pool, people);
  return {
    url: service.url,
    callers: await makeCallers(sign, globalSubject, people),
    tend: () => tend(service.url, sign, pool, people),
    async stop() {
      await service.stop();
      await Promise.all([identity.stop(), pool.end()]);
      await rm(folder, { recursive: true });
    },
  };
}
