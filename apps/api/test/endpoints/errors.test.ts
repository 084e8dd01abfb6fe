import { errorsOf, endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rest } from './transports.ts';
import { startFaulty } from './faulty.ts';
import { ownCodes } from './own-codes.ts';
import { startPlace } from './place.ts';
import { scenarioOf, type Stage } from './scenarios.ts';

let stage: Stage;
beforeAll(async () => {
  const place = await startPlace();
  stage = { ...place, faulty: await startFaulty(place.world) };
});
afterAll(async () => {
  await stage.world.stop();
  await stage.faulty.stop();
});

describe.each(endpoints)('$name answers', ({ name, endpoint }) => {
  test('no code of its own that it does not declare', () => {
    expect(endpoint.errors).toEqual(expect.arrayContaining(Object.keys(ownCodes(name))));
  });

  test.each(errorsOf(endpoint))('%s', async (code) => {
    const attempt = await scenarioOf(name, code)(stage, name, endpoint);
    const { problem } = await rest(attempt, name, endpoint);
    expect(problem?.code).toBe(code);
  });
});
