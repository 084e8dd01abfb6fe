import { endpoints } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import { naughtyStrings, naughtyValues } from './naughty-strings.ts';
import { validCall } from './calls.ts';
import { useFixture } from './fixture.ts';
import { rest, trpc } from './send.ts';

const fixture = useFixture();

/** Each field gets one tenth of the values, and the next field the next tenth. `npm run nightly` sends every value to every field. */
const parts = Number(process.env['NAUGHTY_STRINGS_PARTS'] ?? 10);
const part = <Value>(values: readonly Value[], fieldIndex: number) => values.filter((_, index) => (index + fieldIndex) % parts === 0);

test.each(endpoints)('$name responds to naughty values in its fields without a server error', async ({ name, endpoint }) => {
  const valid = await validCall(fixture, name, endpoint);
  const parameters = Object.keys({ ...endpoint.params, ...endpoint.query });
  // A URL contains texts only. Endpoints for files do not exist over tRPC.
  const fields = endpoint.media === 'json' ? [...parameters, ...Object.keys(endpoint.body?.shape ?? {})] : [];
  const sent = [
    ...parameters.map((field) => ({ field, send: rest, values: naughtyStrings as readonly unknown[] })),
    ...fields.map((field) => ({ field, send: trpc, values: naughtyValues })),
  ];
  for (const [index, { field, send, values }] of sent.entries()) {
    const responses = part(values, index).map(async (value) => {
      const attempt = { ...valid, input: { ...valid.input, [field]: value } };
      const { status } = await send(attempt, name, endpoint);
      return { field, value, status };
    });
    expect((await Promise.all(responses)).filter(({ status }) => status >= 500)).toEqual([]);
  }
});
