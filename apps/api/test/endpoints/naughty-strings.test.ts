import { endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nastyTexts, nastyValues } from '../../fuzz/endpoints/naughty-strings.ts';
import { rest, trpc } from './transports.ts';
import { type Place, startPlace } from './place.ts';
import { validCall } from './scenarios.ts';

let place: Place;
beforeAll(async () => (place = await startPlace()));
afterAll(() => place.world.stop());

/** A row's fields, and the values that each can be sent over either face: an address holds texts alone. */
const fields = endpoints.flatMap(({ name, endpoint }) => {
  const parameters = Object.keys({ ...endpoint.params, ...endpoint.query });
  const asText = parameters.map((field) => ({ name, endpoint, field, face: 'REST', call: rest, values: nastyTexts }));
  // A file row has no tRPC face.
  const asAny = endpoint.media !== 'json' ? [] : [...parameters, ...Object.keys(endpoint.body?.shape ?? {})];
  return [...asText, ...asAny.map((field) => ({ name, endpoint, field, face: 'tRPC', call: trpc, values: nastyValues }))];
});

test.each(fields)('$name never fails over $face, whatever $field is', async ({ name, endpoint, field, call, values }) => {
  const valid = await validCall(place, name);
  const statuses = values.map((value) => call({ ...valid, input: { ...valid.input, [field]: value } }, name, endpoint));
  const failed = (await Promise.all(statuses)).flatMap(({ status }, index) => (status >= 500 ? [values[index]] : []));
  expect(failed).toEqual([]);
});
