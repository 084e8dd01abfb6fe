import type { Fault } from '../fault.ts';

const redis = { part: 'Redis', allowed: [] } as const;

export const redisFaults: readonly Fault[] = [
  { ...redis, name: 'killed, and back empty', begin: (all) => all.redis.stop('lose'), end: (all) => all.redis.start() },
  { ...redis, name: 'stopped, and back with its old data', begin: (all) => all.redis.stop('keep'), end: (all) => all.redis.start() },
  { ...redis, name: 'hangs', begin: async (all) => all.redis.pause(), end: async (all) => all.redis.resume() },
];
