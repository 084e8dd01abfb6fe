import { startProxy } from '../../../../test/proxy.ts';
import type { World } from '../support/world.ts';

/** URLs of instances that lack one part. */
export type BrokenInstances = Awaited<ReturnType<typeof startBrokenInstances>>;

const unreachable = 'http://127.0.0.1:1';

/** Starts the instances beside the world's own one. The world stops them. */
export async function startBrokenInstances(world: World) {
  const proxy = await startProxy(world.databaseUrl);
  const withoutDatabase = await world.another({ DATABASE_URL: proxy.url });
  proxy.cut();
  const withoutKeys = await world.another({ IDENTITY_INTERNAL_URL: unreachable });
  const elsewhere = new URL(world.databaseUrl);
  elsewhere.searchParams.set('options', '-c search_path=nowhere');
  const withoutTables = await world.another({ DATABASE_URL: elsewhere.href });
  const withoutStorage = await world.another({ STORAGE_DIR: '/nowhere/files' });
  const oneStream = await world.another({ EVENT_STREAMS_PER_TENANT: '1' });
  const rateLimited = await world.another({ RATE_LIMIT_CALLER_PER_SECOND: '1' }, { limitWindowSeconds: 86_400 });
  return {
    withoutDatabase: withoutDatabase.url,
    /** Has never fetched the signing keys. */
    withoutKeys: withoutKeys.url,
    /** Its database has no tables. */
    withoutTables: withoutTables.url,
    /** Its storage folder is missing. */
    withoutStorage: withoutStorage.url,
    /** A tenant may open one event stream. */
    oneStream: oneStream.url,
    /** Accepts one request per caller and day. */
    rateLimited: rateLimited.url,
    stop: () => proxy.stop(),
  };
}
