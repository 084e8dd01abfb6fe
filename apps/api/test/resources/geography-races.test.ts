import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCity, newState } from '../support/geography.ts';
import { type Api, createApi, outcome } from '../support/api.ts';
import { startWorldWithMap } from '../support/organizations.ts';
import type { World } from '../support/world.ts';

const rounds = Array.from({ length: 20 }, (_, round) => round);

let world: World;
let api: Api;
beforeAll(async () => {
  world = await startWorldWithMap();
  // One tenant gets half of the connections: enough for all 16 at once.
  api = createApi((await world.another({ DATABASE_POOL_MAX: '32' })).url);
});
afterAll(() => world.stop());

/** The outcomes of 16 creations at once. */
async function sixteen(target: string, fieldsOf: (index: number) => object): Promise<(string | number)[]> {
  const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => api.call(world.global, target, fieldsOf(index))));
  return answers.map(outcome).toSorted();
}

const oneOf = (code: string) => [201, ...Array.from({ length: 15 }, () => code)];

describe('of 16 creations at once', () => {
  test.each(rounds)('with the same siafiId one makes the city, round %i', async () => {
    const codes = Array.from({ length: 16 }, () => newCity());
    const made = await sixteen('POST /api/cities', (index) => ({ ...codes[index], siafiId: codes[0]?.siafiId }));
    expect(made).toEqual(oneOf('CITY_ALREADY_EXISTS'));
  });

  test.each(rounds)('with the same uf one makes the state, round %i', async () => {
    const codes = Array.from({ length: 16 }, () => newState());
    const made = await sixteen('POST /api/states', (index) => ({ ...codes[index], uf: codes[0]?.uf }));
    expect(made).toEqual(oneOf('STATE_ALREADY_EXISTS'));
  });

  test.each(rounds)('of one and the same city one makes it, round %i', async () => {
    const city = newCity();
    expect(await sixteen('POST /api/cities', () => city)).toEqual(oneOf('CITY_ALREADY_EXISTS'));
  });
});
