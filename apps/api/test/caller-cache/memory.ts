import { vi } from 'vitest';
import type { Api } from '../support/api.ts';
import type { Person } from '../support/people.ts';
import type { Permissions } from '../support/records.ts';
import type { World } from '../support/world.ts';

/** Generous, since a busy machine is slow. */
export const arrival = { timeout: 20_000, interval: 20 };

/** The name of the user, or an error code, at each instance. */
export const namesAt = (person: Person, ...instances: Api[]): Promise<string[]> =>
  Promise.all(
    instances.map(async (api) => {
      const { code, body } = await api.call<Permissions>(person, 'GET /api/me/permissions');
      return code ?? body.name;
    }),
  );

/** A change in the database without a notification. */
export const rename = (world: World, person: Person, name: string) =>
  world.sql('update users set name = $1 where id = $2', [name, person.id]);

/** Resolves when every instance has cached the user, with the name `Told`, which is outdated by then. */
export async function rememberedAt(world: World, person: Person, ...instances: Api[]): Promise<void> {
  await vi.waitFor(async () => {
    await rename(world, person, 'Told');
    // Earlier notifications have arrived when this one has.
    await world.sql("select pg_notify('profile_changes', $1)", [JSON.stringify({ all: true })]);
    await vi.waitFor(async () => {
      if ((await namesAt(person, ...instances)).some((name) => name !== 'Told')) throw new Error('The change did not arrive');
    }, arrival);
    await rename(world, person, 'Not Told');
    const names = await namesAt(person, ...instances);
    if (names.some((name) => name !== 'Told')) throw new Error(`Not remembered by all: ${names.join()}`);
  }, arrival);
}
