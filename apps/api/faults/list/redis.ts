import type { Fault } from '../fault.ts';

const part = 'Redis';
const allowed: readonly string[] = [];

export const redisFaults: readonly Fault[] = [
  {
    part,
    name: 'killed, and back empty',
    allowed,
    begin: ({ redis }) => redis.stop('lose'),
    end: ({ redis }) => redis.start(),
  },
  {
    part,
    name: 'stopped, and back with its old data',
    allowed,
    begin: async ({ redis }) => redis.stop('keep'),
    end: ({ redis }) => redis.start(),
  },
  { part, name: 'hangs', allowed, begin: async ({ redis }) => redis.pause(), end: async ({ redis }) => redis.resume() },
];
