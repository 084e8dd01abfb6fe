import { type Endpoint, type RequestHeader, requestHeadersOf } from '@profile-service/contracts';
import fc from 'fast-check';

/** Strings that HTTP allows in a header. */
export const headerTexts = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
});

const entityTags = fc.oneof(
  fc.constantFrom('*', '"1"', 'W/"1"', '"1", "2"'),
  fc.nat().map((version) => `"${version}"`),
  headerTexts,
);
const values: Record<RequestHeader, fc.Arbitrary<string> | undefined> = {
  // `requestsOf` chooses the active tenant together with the caller.
  'X-Tenant-Id': undefined,
  Range: fc.oneof(fc.constantFrom('bytes=0-3', 'bytes=-4', 'bytes=2-', 'bytes=9999-', 'bytes=5-2', 'bytes=0-1,3-4'), headerTexts),
  'If-Range': headerTexts,
  'If-None-Match': entityTags,
  'If-Match': entityTags,
  // Mostly new keys: a request with a key that came with another request is refused.
  'Idempotency-Key': fc.oneof(
    { weight: 6, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom('first', 'second') },
    { weight: 1, arbitrary: headerTexts },
  ),
};
/** The input fields that stand for headers over tRPC. */
const fields: Partial<Record<RequestHeader, string>> = { 'If-Match': 'ifMatch', 'Idempotency-Key': 'idempotencyKey' };

/** Some of the headers that the endpoint reads. */
export const headersFor = (endpoint: Endpoint): fc.Arbitrary<Record<string, string>> => someOf(endpoint, (header) => header);

/** Some of the input fields that stand for headers over tRPC. */
export const headerFieldsFor = (endpoint: Endpoint): fc.Arbitrary<Record<string, string>> => someOf(endpoint, (header) => fields[header]);

function someOf(endpoint: Endpoint, keyOf: (header: RequestHeader) => string | undefined): fc.Arbitrary<Record<string, string>> {
  const all = requestHeadersOf(endpoint).flatMap((header) => {
    const [key, value] = [keyOf(header), values[header]];
    return key && value ? [[key, value] as const] : [];
  });
  return fc.record(Object.fromEntries(all), { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>;
}
