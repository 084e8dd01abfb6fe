import { measureIdentity } from './identity.ts';
import { measureRedis } from './redis.ts';
import { measureStorage } from './storage.ts';

/**
 * `pnpm --filter @profile-service/api measure:timeouts [part…]`: measures what the defaults of the timeouts of Redis, the storage and the identity provider
 * come from. Without a part, all. docs/run/figures.md has the figures. The benchmark measures the database (`bench:timeouts`).
 */
const parts: Record<string, () => Promise<void>> = { redis: measureRedis, storage: measureStorage, identity: measureIdentity };

const chosen = process.argv.slice(2).filter((arg) => arg !== '--');
for (const name of chosen.length > 0 ? chosen : Object.keys(parts)) {
  const measure = parts[name];
  if (!measure) throw new Error(`There is no part ${name}: choose from ${Object.keys(parts).join(', ')}`);
  console.log(`\n${name}`);
  await measure();
}
