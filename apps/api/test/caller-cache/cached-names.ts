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

/** Resolves when every instance has cached the name `Outdated` of the person. The name in the database is then `Current`. */
export async function cacheOutdatedName(world: World, person: Person, ...instances: Api[]): Promise<void> {
  await vi.waitFor(async () => {
    await rename(world, person, 'Outdated');
    // Notifications arrive in order: earlier ones have arrived when this one has.
    await notify(world, { all: true });
    await vi.waitFor(async () => {
      if ((await namesAt(person, ...instances)).some((name) => name !== 'Outdated')) throw new Error('The notification did not arrive');
    }, arrival);
    await rename(world, person, 'Current');
    const names = await namesAt(person, ...instances);
    if (names.some((name) => name !== 'Outdated')) throw new Error(`Not every instance cached the name: ${names.join()}`);
  }, arrival);
}
