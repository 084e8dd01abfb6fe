import type { Proxy } from '../support/proxy.ts';
import { startProxy } from '../support/proxy.ts';
import type { World } from '../support/world.ts';

/** Addresses of instances that lack a part. */
export interface Faulty {
  withoutDatabase: string;
  /** Its identity provider has never answered. */
  withoutKeys: string;
  /** Finds its database without a table. */
  withoutTables: string;
  /** Its storage folder is missing. */
  withoutStorage: string;
  /** Lets each caller ask once, and then not for a day. */
  withoutPatience: string;
  stop(): Promise<void>;
}

const nobodyThere = 'http://127.0.0.1:1';

/** Starts them beside the world's own instance, which they leave alone; the world stops them. */
export async function startFaulty(world: World): Promise<Faulty> {
  const proxy: Proxy = await startProxy(world.databaseUrl);
  const withoutDatabase = await world.another({ DATABASE_URL: proxy.url });
  proxy.cut();
  const withoutKeys = await world.another({ IDENTITY_INTERNAL_URL: nobodyThere });
  const elsewhere = new URL(world.databaseUrl);
  elsewhere.searchParams.set('options', '-c search_path=nowhere');
  const withoutTables = await world.another({ DATABASE_URL: elsewhere.href });
  const withoutStorage = await world.another({ STORAGE_DIR: '/nowhere/files' });
  const withoutPatience = await world.another({ RATE_LIMIT_CALLER_PER_SECOND: '1' }, { limitWindowSeconds: 86_400 });
  return {
    withoutDatabase: withoutDatabase.url,
    withoutKeys: withoutKeys.url,
    withoutTables: withoutTables.url,
    withoutStorage: withoutStorage.url,
    withoutPatience: withoutPatience.url,
    stop: () => proxy.stop(),
  };
}
