import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { Api } from '../support/api.ts';
import type { Person } from '../support/people.ts';
import type { Permissions } from '../support/records.ts';
import type { World } from '../support/world.ts';

/** How long tests wait for a notification. A busy machine is slow. */
export const arrival = { timeout: 20_000, interval: 20 };

/** Sends the notification with which another program invalidates cached callers. */
export const notify = (world: World, invalidation: object) =>
  world.sql("select pg_notify('profile_caller_invalidation', $1)", [JSON.stringify(invalidation)]);

/** The name of the user, or an error code, at each instance. */
export const namesAt = (person: Person, ...instances: Api[]): Promise<string[]> =>
  Promise.all(
    instances.map(async (api) => {
      const { code, body } = await api.call<Permissions>(person, 'GET /api/me/permissions');
      return code ?? body.name;
    }),
  );

/** Changes the name in the database, without a notification. */
export const rename = (world: World, person: Person, name: string) =>
  world.sql('update users set name = $1 where id = $2', [name, person.id]);

/**
 * Returns the person with a new identity whose name `Outdated` every instance has cached. The name in the database is `Current`.
 * Notifications of earlier changes, which may arrive later, name the former identity.
 */
export const cacheOutdatedName = (world: World, person: Person, ...instances: Api[]): Promise<Person> =>
  vi.waitFor(async () => {
    const subject = randomUUID();
    const cached = { ...person, subject, token: await world.tokenOf({ sub: subject }) };
    await world.sql("update users set id_identity = $1, name = 'Outdated' where id = $2", [subject, person.id]);
    await namesAt(cached, ...instances);
    await rename(world, person, 'Current');
    const names = await namesAt(cached, ...instances);
    if (names.some((name) => name !== 'Outdated')) throw new Error(`Not every instance cached the name: ${names.join()}`);
    return cached;
  }, arrival);
