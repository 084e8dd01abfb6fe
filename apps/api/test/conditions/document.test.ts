import { acceptsIfMatch, acceptsIfNoneMatch, endpoints, returnsVersion, successStatusesOf } from '@profile-service/contracts';
import { expect, test } from 'vitest';
import document from '../../openapi.json' with { type: 'json' };

interface Operation {
  parameters: { $ref?: string }[];
  responses: Record<string, { headers?: Record<string, unknown>; content?: object }>;
}
const operations = document.paths as unknown as Record<string, Record<string, Operation>>;

test.each(endpoints)('the document describes the versions and conditions of $name', ({ endpoint }) => {
  const { responses, parameters } = operations[endpoint.path]![endpoint.method.toLowerCase()]!;
  const tagged = Object.keys(responses).filter((status) => 'ETag' in (responses[status]!.headers ?? {}));
  expect(tagged.map(Number)).toEqual(returnsVersion(endpoint) ? successStatusesOf(endpoint).toSorted((a, b) => a - b) : []);
  const refers = (name: string) => parameters.some(({ $ref }) => $ref === `#/components/parameters/${name}`);
  expect([refers('IfNoneMatch'), '304' in responses]).toEqual(Array.from({ length: 2 }, () => acceptsIfNoneMatch(endpoint)));
  expect([refers('IfMatch'), '412' in responses]).toEqual(Array.from({ length: 2 }, () => acceptsIfMatch(endpoint)));
  expect(responses['304']?.content).toBeUndefined();
  // A malformed If-Match is 400 everywhere.
  expect(responses).toHaveProperty('400');
});
