import { RedisConnection } from '@profile-service/auth';
import { startRedis } from '../../../test/redis.ts';
import { findProgram } from '../../../test/programs.ts';
import { describeDurations, repeat, timed } from '../../../test/durations.ts';

/** Measures commands to Redis, 64 at once. */
export async function measureRedis(): Promise<void> {
  const redis = await startRedis((await findProgram('redis-server')) ?? 'redis-server');
  const ready = Promise.withResolvers<void>();
  const connection = await RedisConnection.open({ url: redis.url, onState: (up) => up && ready.resolve() });
  try {
    await ready.promise;
    const times: number[] = [];
    await connection.attempt('set', (client) => client.set('key', 'x'.repeat(500)));
    await repeat(200_000, 64, () => timed(times, () => connection.attempt('get', (client) => client.get('key'))));
    console.log(describeDurations({ name: 'command, 64 at once', times }));
  } finally {
    connection.close();
    await redis.remove();
  }
}
