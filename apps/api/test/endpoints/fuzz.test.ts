import { randomInt } from 'node:crypto';
import { endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { Game } from '../../fuzz/endpoints/play.ts';
import { closeConnections } from '../../fuzz/endpoints/wire.ts';
import { startWorld, type World } from '../../fuzz/world/world.ts';

/** `npm run test:fuzz` in short: that one asks for as long as it is told. */
const requests = 30;
const seed = randomInt(2 ** 31 - endpoints.length);

let world: World;
let game: Game;
beforeAll(async () => {
  world = await startWorld(await createTestDatabase());
  await world.tend();
  game = new Game(world);
  console.log(`seed ${seed}`);
});
afterAll(async () => {
  closeConnections();
  await world.stop();
});

test.each(endpoints.map(({ name }, place) => ({ name, place })))(
  '$name answers as the document says, whatever it is sent',
  async ({ name, place }) => {
    await game.play(name, requests, seed + place);
    expect(game.failures.get(name)).toBeUndefined();
  },
);

test('much of it succeeded', () => {
  expect([...game.tally.successes.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(game.tally.requests / 10);
});
