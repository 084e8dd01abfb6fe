import { acceptsIdempotencyKey, acceptsIfMatch, endpoints } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { isConditional, isKeyed } from '../src/mutations.ts';

const mutations = endpoints.filter(({ endpoint }) => endpoint.method !== 'GET' && endpoint.media === 'json');

test.each(mutations)('the client knows what $name accepts', ({ name, endpoint }) => {
  expect([isConditional(name), isKeyed(name)]).toEqual([acceptsIfMatch(endpoint), acceptsIdempotencyKey(endpoint)]);
});
