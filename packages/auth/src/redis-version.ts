import type { Redis } from 'ioredis';

/** The first version with `SET … NX GET` and `EXPIRE … NX`, which the shared cache uses. */
const requiredMajor = 7;

/** The server is too old for this service. */
export class RedisVersionError extends Error {
  override readonly name = 'RedisVersionError';
}

/**
 * Checks the version that the server reports. A server that reports none passes, and so does a user without the permission to ask.
 * @throws RedisVersionError when it is too old
 */
export async function assertRedisVersion(client: Redis): Promise<void> {
  const info = await client.info('server').catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('NOPERM')) return '';
    throw error;
  });
  const [, version = '', major = ''] = /^redis_version:((\d+)\.\d+)/m.exec(info) ?? [];
  if (major === '' || Number(major) >= requiredMajor) return;
  throw new RedisVersionError(`Redis ${version} is too old: ${requiredMajor}.0 or later is required`);
}
