import { readOptions } from '../options.ts';
import { startEnvironment } from '../servers/environment.ts';
import { measureDatabase } from './database.ts';
import { measureIdentity } from './identity.ts';
import { measureRedis } from './redis.ts';
import { measureStorage } from './storage.ts';

/**
 * `pnpm --filter @profile-service/bench bench:timeouts [part…]`: measures what the defaults of the timeouts and pool limits come from. Without a part, all.
 * docs/deployment.md has the figures.
 */
const parts: Record<string, () => Promise<void>> = {
  async database() {
    await using started = disposables;
    await measureDatabase(await startEnvironment(readOptions([]), started, console.error));
  },
  redis: measureRedis,
  storage: measureStorage,
  identity: measureIdentity,
};

const disposables = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void disposables.disposeAsync().then(() => process.exit(1)));

const chosen = process.argv.slice(2).filter((arg) => arg !== '--');
for (const name of chosen.length > 0 ? chosen : Object.keys(parts)) {
  const measure = parts[name];
  if (!measure) throw new Error(`There is no part ${name}: choose from ${Object.keys(parts).join(', ')}`);
  console.log(`\n${name}`);
  await measure();
}
