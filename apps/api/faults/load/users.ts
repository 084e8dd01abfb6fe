import { randomUUID } from 'node:crypto';
import type { People } from '../environment/people.ts';
import { type LoadState, write } from './writer.ts';

/** Returns a writer that creates users, with their identities at the identity provider. */
export function userWriter(state: LoadState, people: People): () => Promise<void> {
  return async () => {
    const request = { method: 'POST', path: '/api/users', token: people.global, body: people.newPerson(), key: randomUUID() } as const;
    await write(state, 'users', request, 'user.created');
  };
}
