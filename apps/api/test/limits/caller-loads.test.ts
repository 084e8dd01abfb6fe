import { expect, test } from 'vitest';
import { createApi, outcome } from '../support/api.ts';
import { raceAgainst } from '../support/race.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('loading callers uses half of the database connections, and further callers wait or are 503', async () => {
  // Of different tenants, so that only the loading of callers limits them.
  const people = await Promise.all(Array.from({ length: 4 }, async () => world.person({ [(await world.tenant()).id]: 'viewer' })));
  const { url } = await world.another({ DATABASE_POOL_MAX: '2', REQUEST_QUEUE_MAX: '2' });
  const api = createApi(url);
  const answers: unknown[] = [];
  const load = async (person: (typeof people)[number]) => void answers.push(outcome(await api.call(person, 'GET /api/me/tenants')));
  await raceAgainst(
    world,
    ['lock table users in access exclusive mode', []],
    () => Promise.all(people.map(load)),
    // One is loaded and two wait.
    () => expect.poll(() => answers).toEqual(['SERVICE_UNAVAILABLE']),
  );
  expect(answers).toEqual(['SERVICE_UNAVAILABLE', 200, 200, 200]);
});

test('a request whose caller cannot be loaded is 503, also if other requests of the caller wait too', async () => {
  const [one, two] = [await world.tenant(), await world.tenant()];
  const person = await world.person({ [one.id]: 'viewer', [two.id]: 'viewer' });
  const api = createApi((await world.another({ DATABASE_POOL_MAX: '2' }, { tenantLimits: { waitMs: 100 } })).url);
  const answers: unknown[] = [];
  const load = async ({ id }: { id: string }) => void answers.push(outcome(await api.call({ ...person, tenant: id }, 'GET /api/states')));
  await raceAgainst(
    world,
    ['lock table users in access exclusive mode', []],
    () => Promise.all([one, two].map(load)),
    () => expect.poll(() => answers).toHaveLength(1),
  );
  expect(answers).toEqual(['SERVICE_UNAVAILABLE', 200]);
});
