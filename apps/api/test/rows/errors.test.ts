import { errorsOf, rows } from '@profile-service/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rest } from './faces.ts';
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

describe.each(rows)('$name answers', ({ name, row }) => {
  test('no code of its own that it does not declare', () => {
    expect(row.errors).toEqual(expect.arrayContaining(Object.keys(ownCodes(name))));
  });

  test.each(errorsOf(row))('%s', async (code) => {
    const attempt = await scenarioOf(name, code)(stage, name, row);
    const { problem } = await rest(attempt, name, row);
    expect(problem?.code).toBe(code);
  });
});
