import type { Endpoint } from '@profile-service/contracts';
import fc from 'fast-check';
import { damaged, naughty } from './damage.ts';
import { forms } from './form.ts';
import { headersFor } from './headers.ts';
import type { Encoded, Parts } from './sent.ts';

type Content = { type: string | undefined; bytes: Buffer } | undefined;

/** Requests of the endpoint over REST: some valid, some nearly valid, some arbitrary. */
export function restRequests(endpoint: Endpoint, parts: fc.Arbitrary<Parts>): fc.Arbitrary<Encoded> {
  const nearly = damaged(parts.map((all) => ({ ...all }))).map((all) => repaired(all));
  const wild = fc.record({ params: textsFor(endpoint.params), query: textsFor(endpoint.query), body: fc.constant({}) });
  return fc.oneof(
    { weight: 5, arbitrary: requests(endpoint, parts, contentOf) },
    { weight: 4, arbitrary: requests(endpoint, nearly, contentOf) },
    { weight: 1, arbitrary: requests(endpoint, wild, contentOf) },
    { weight: 1, arbitrary: requests(endpoint, parts, wildContent) },
    { weight: 1, arbitrary: requests(endpoint, parts, contentOf).chain(withRawTarget) },
  );
}

function requests(
  endpoint: Endpoint,
  parts: fc.Arbitrary<Parts>,
  contents: (endpoint: Endpoint, body: unknown) => fc.Arbitrary<Content>,
): fc.Arbitrary<Encoded> {
  return parts.chain((all) =>
    fc.tuple(contents(endpoint, all.body), headersFor(endpoint)).map(([content, headers]) => ({
      method: endpoint.method,
      target: targetOf(endpoint, all),
      headers: { ...headers, ...(content?.type === undefined ? {} : { 'content-type': content.type }) },
      body: content?.bytes,
    })),
  );
}

const contentOf = (endpoint: Endpoint, body: unknown): fc.Arbitrary<Content> => {
  if (!endpoint.body || body === undefined) return fc.constant(undefined);
  if (endpoint.media === 'upload') return forms(record(body));
  return fc.constant({ type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) });
};

const types = [
  undefined,
  '',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'a/b; c=',
];
const texts = [
  '',
  ' ',
  '{',
  '[]',
  'null',
  '1',
  '"x"',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '\ufeff{}',
  '[['.repeat(5_000),
  '{"name":1e999}',
];

/** Bodies that no endpoint accepts, also for endpoints without body. */
const wildContent = (): fc.Arbitrary<Content> =>
  fc.record({
    type: fc.oneof({ weight: 3, arbitrary: fc.constant('application/json') }, { weight: 1, arbitrary: fc.constantFrom(...types) }),
    bytes: fc.oneof(
      fc.constantFrom(...texts).map((text) => Buffer.from(text)),
      fc.jsonValue({ stringUnit: 'binary' }).map((value) => Buffer.from(JSON.stringify(value))),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    ),
  });

const rawSegments = ['%', '%zz', '%ff', '%00', '%2F', '%2e%2e', '%C0%AF', '*', ';a=b', '%25', '+', '%20'];
const rawQueries = [
  '',
  '&',
  '%zz=1',
  'page=%ff',
  'page=1&page=2',
  'page[]=1',
  'limit=+1',
  'name=%00',
  '__proto__=1',
  '?',
  '=',
  'page=1%0d%0a',
];

/** Invalid escapes in the last segment of the path or in the query. */
const withRawTarget = (request: Encoded): fc.Arbitrary<Encoded> => {
  const [path = ''] = request.target.split('?');
  const inPath = fc.constantFrom(...rawSegments).map((segment) => path.replace(/[^/]*$/, segment));
  const inQuery = fc.constantFrom(...rawQueries).map((query) => `${path}?${query}`);
  return fc.oneof(inPath, inQuery).map((target) => ({ ...request, target }));
};

const textsFor = (shape: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(
      Object.keys(shape).map((name) => [
        name,
        fc.oneof({ weight: 9, arbitrary: naughty }, { weight: 1, arbitrary: fc.constantFrom('.', '..') }),
      ]),
    ),
  );

function targetOf(endpoint: Endpoint, { params, query }: Parts): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(text(params[name])));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, text(one)])),
  );
  return search.size > 0 ? `${path}?${search.toString()}` : path;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

/** Replaces damaged parts that are no longer objects. */
const repaired = ({ params, query, body }: Record<string, unknown>): Parts => ({
  params: record(params),
  query: record(query),
  body: body as Parts['body'],
});
const record = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {});
