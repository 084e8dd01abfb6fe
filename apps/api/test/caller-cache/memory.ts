import { vi } from 'vitest';
import type { Api } from '../support/api.ts';
import type { Person } from '../support/people.ts';
import type { Permissions } from '../support/records.ts';
import type { World } from '../support/world.ts';

/** A change arrives; how fast is not for a test on a busy machine to say. */
export const arrival = { timeout: 20_000, interval: 20 };

/** What each instance says the person's name is, or why it says nothing. */
export const namesAt = (person: Person, ...instances: Api[]): Promise<string[]> =>
  Promise.all(
    instances.map(async (api) => {
      const { code, body } = await api.call<Permissions>(person, 'GET /api/me/permissions');
      return code ?? body.name;
    }),
  );

/** A change behind the service's back, of which no instance is told. */
export const rename = (world: World, person: Person, name: string) =>
  world.sql('update users set name = $1 where id = $2', [name, person.id]);

/** Resolves when every instance remembers the person: as `Told`, which is not their name any more. */
export async function rememberedAt(world: World, person: Person, ...instances: Api[]): Promise<void> {
  await vi.waitFor(async () => {
    await rename(world, person, 'Told');
    // Also what was told before and is still on its way has arrived when this one has.
    await world.sql("select pg_notify('profile_caller_invalidation', $1)", [JSON.stringify({ all: true })]);
    await vi.waitFor(async () => {
      if ((await namesAt(person, ...instances)).some((name) => name !== 'Told')) throw new Error('The change did not arrive');
    }, arrival);
    await rename(world, person, 'Not Told');
    const names = await namesAt(person, ...instances);
    if (names.some((name) => name !== 'Told')) throw new Error(`Not remembered by all: ${names.join()}`);
  }, arrival);
}
