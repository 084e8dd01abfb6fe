import { endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf } from './caller.ts';
import { callers } from './callers.ts';
import { rest } from './transports.ts';
import { type Place, startPlace } from './place.ts';
import { type Input, sampleOf } from './samples.ts';
import { anyRule, ruleOf } from './who-may.ts';

let place: Place;
beforeAll(async () => (place = await startPlace()));
afterAll(() => place.world.stop());

describe.each(endpoints)('$name', ({ name, endpoint }) => {
  const rule = ruleOf(name);
  /** Those who are refused change nothing: one input does for all of them. */
  let refused: Input | undefined;

  for (const caller of callers) {
    const outcome = outcomeOf(caller, rule);
    test(`${caller.who}: ${outcome}`, async () => {
      const actor = await caller.actor(place, rule.kind === 'user' ? rule : anyRule);
      const input = outcome === 'allowed' ? await sampleOf(name)(place) : (refused ??= await sampleOf(name)(place));
      const { status, problem } = await rest({ url: place.world.service.url, actor, input }, name, endpoint);
      expect(problem?.code ?? status).toBe(outcome === 'allowed' ? endpoint.success : outcome);
    });
  }
});
