import type { NamedEndpoint } from '@profile-service/contracts';
import fc from 'fast-check';
import { damaged, naughty } from './damage.ts';
import { headerFieldsFor } from './headers.ts';
import type { Encoded, Parts } from './sent.ts';

const brokenTexts = ['', '{', 'null', '[]', '"x"', '1', '{"json":{}}', '{"__proto__":1}', '%'];

/** Calls of the endpoint over tRPC: some valid, some nearly valid, some arbitrary, some in a batch, some with the other method. */
export function trpcRequests(named: NamedEndpoint, parts: fc.Arbitrary<Parts>): fc.Arbitrary<Encoded> {
  const valid = fc
    .tuple(parts, headerFieldsFor(named.endpoint))
    .map(([{ params, query, body }, fields]) => ({ ...query, ...body, ...params, ...fields }));
  const inputs = fc.oneof(
    { weight: 5, arbitrary: valid.map((input) => JSON.stringify(input)) },
    { weight: 4, arbitrary: damaged(valid).map((input) => JSON.stringify(input)) },
    { weight: 1, arbitrary: naughty.map((input) => JSON.stringify(input)) },
    { weight: 1, arbitrary: fc.constantFrom(...brokenTexts) },
  );
  const sometimes = fc.nat(19).map((draw) => draw === 19);
  return fc.tuple(inputs, sometimes, sometimes).map(([input, isBatch, isOther]) => {
    const isQuery = (named.endpoint.method === 'GET') !== isOther;
    const text = isBatch ? `{"0":${input}}` : input;
    const search = new URLSearchParams({ ...(isBatch ? { batch: '1' } : {}), ...(isQuery ? { input: text } : {}) });
    return {
      method: isQuery ? 'GET' : 'POST',
      target: `/trpc/${named.name}${search.size > 0 ? `?${search.toString()}` : ''}`,
      headers: isQuery ? {} : { 'content-type': 'application/json' },
      body: isQuery ? undefined : Buffer.from(text),
    };
  });
}
