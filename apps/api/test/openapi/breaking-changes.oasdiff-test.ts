import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { breakingChanges, installOasdiff } from '../../../../scripts/openapi/breaking-changes.ts';
import type { OpenApiDocument } from '../../../../scripts/openapi/error-codes.ts';
import published from '../../openapi.json' with { type: 'json' };

let oasdiff: string;
beforeAll(async () => void (oasdiff = await installOasdiff()), 600_000);

/** The operations that the tests change. oasdiff takes seconds for all of them. */
const pathsToChange = Object.entries(published.paths).filter(([path]) =>
  /^\/(api\/(apps|cooperatives|customers|users)|service\/(cooperatives|documents|users))\b|organizations$|tenants\/\{tenantId\}\/users/.test(
    path,
  ),
);
const released: OpenApiDocument = { ...published, paths: Object.fromEntries(pathsToChange) as OpenApiDocument['paths'] };

type Change = (document: any) => void;

/** The breaking changes that this change of the document causes. @param declared lines of the file of declared changes  @param base the released document */
function changesOf(change: Change, declared?: string[], base = released): string[] {
  const current = structuredClone<any>(base);
  change(current);
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-declared-'));
  const file = join(folder, 'declared.txt');
  writeFileSync(file, (declared ?? []).join('\n'));
  const changes = breakingChanges(oasdiff, base, current, declared && file);
  rmSync(folder, { recursive: true });
  return changes;
}

const renameSchema: Change = (document) => {
  Object.assign(document, JSON.parse(JSON.stringify(document).replaceAll('/schemas/AppCreate"', '/schemas/NewApp"')));
  const { AppCreate, ...schemas } = document.components.schemas;
  document.components.schemas = { ...schemas, NewApp: AppCreate };
};
const scopePath = 'GET /api/users/{userId}/tenants/{tenantId}/organizations';
const without = (list: string[], value: string) => list.splice(list.indexOf(value), 1);

/** Breaking changes, and how the check reports them. oasdiff finds the first one by itself. The others need `severity-levels.txt`, or the error codes. */
const breaking: [what: string, Change, reported: string][] = [
  ['an endpoint is removed', ({ paths }) => delete paths['/api/apps/{id}'].delete, 'DELETE /api/apps/{id} api removed without deprecation'],
  [
    'a value of an enum in a response is removed',
    ({ components: { schemas } }) => without(schemas.EffectiveOrganizationScope.enum, 'ALL_BY_PERSONA'),
    `${scopePath} removed the \`ALL_BY_PERSONA\` enum value from the \`effectiveScope\` response property for the response status \`200\``,
  ],
  [
    'a value of an enum in a response is added',
    ({ components: { schemas } }) => schemas.EffectiveOrganizationScope.enum.push('NONE'),
    `${scopePath} added the new \`NONE\` enum value to the \`effectiveScope\` response property for the response status \`200\``,
  ],
  [
    'the format of a response field is removed',
    ({ components: { schemas } }) => Reflect.deleteProperty(schemas.Document.properties.createdAt, 'format'),
    "GET /service/documents the `data/items/createdAt` response's property `format` changed from `date-time` to `none` for status `200`",
  ],
  [
    'the format of a request field is removed',
    ({ components: { schemas } }) => Reflect.deleteProperty(schemas.UserCreate.properties.email, 'format'),
    'POST /api/users the `email` request property `format` was widened from `email` to `none`',
  ],
  [
    'the format of a response field is narrowed',
    ({ components: { schemas } }) => Object.assign(schemas.Document.properties.createdAt, { format: 'date' }),
    "GET /service/documents the `data/items/createdAt` response's property `format` was narrowed from `date-time` to `date` for status `200`",
  ],
  [
    'the format of a parameter is widened',
    ({ paths }) => Object.assign(paths['/api/apps'].get.parameters[0].schema, { format: 'int64' }),
    'GET /api/apps for the `query` request parameter `page`, the `format` was widened from `int32` to `int64`',
  ],
  [
    'a response field becomes nullable',
    ({ components: { schemas } }) => Object.assign(schemas.Document.properties.contentType, { type: ['string', 'null'] }),
    'GET /service/documents the response property `data/items/contentType` became nullable for the status `200`',
  ],
  [
    'an error status is removed',
    ({ paths }) => delete paths['/api/apps/{id}'].get.responses['404'],
    'GET /api/apps/{id} removed the non-success response with the status `404`',
  ],
  [
    'an error code of an operation is removed',
    ({ paths }) => without(paths['/api/apps/{id}'].delete.responses['409']['x-error-codes'], 'APP_IN_USE'),
    'DELETE /api/apps/{id} removed the required property `code/APP_IN_USE` from the response with the `409` status',
  ],
  [
    'an operationId is renamed',
    ({ paths }) => (paths['/api/apps'].get.operationId = 'findApps'),
    'GET /api/apps api operation id `listApps` removed and replaced with `findApps`',
  ],
  ['a schema is renamed', renameSchema, 'in components removed the schema `AppCreate`'],
  [
    'the security of an operation changes',
    ({ paths }) => (paths['/api/apps'].get.security = [{ serviceToken: [] }]),
    'GET /api/apps the endpoint scheme security `userToken` was removed from the API',
  ],
];

test.each(breaking)('if %s, the check finds it, and accepts it when its line declares it', (_what, change, reported) => {
  expect(changesOf(change)).toEqual([reported]);
  expect(changesOf(change, [reported])).toEqual([]);
});

test.each<[string, Change]>([
  ['nothing', () => undefined],
  ['a response field', ({ components }) => (components.schemas.App.properties.code = { type: 'string' })],
  ['an optional request field', ({ components }) => (components.schemas.AppCreate.properties.code = { type: 'string' })],
  ['null to a request field', ({ components }) => (components.schemas.AppCreate.properties.name.type = ['string', 'null'])],
  ['an operation', ({ paths }) => (paths['/api/apps/{id}'].patch = { ...paths['/api/apps/{id}'].put, operationId: 'patchApp' })],
  ['an error code', ({ paths }) => paths['/api/apps/{id}'].delete.responses['409']['x-error-codes'].push('TENANT_NOT_ALLOWED')],
  ['texts', (document) => (document.info.description = 'Other text')],
])('adding %s is not breaking', (_what, change) => {
  expect(changesOf(change)).toEqual([]);
});

test('a removed response header is breaking', () => {
  const base = structuredClone<any>(released);
  base.paths['/api/apps'].get.responses['200'].headers = { Total: { description: 'Number of apps.', schema: { type: 'string' } } };
  const removal: Change = ({ paths }) => Reflect.deleteProperty(paths['/api/apps'].get.responses['200'].headers, 'Total');
  expect(changesOf(removal, [], base)).toEqual(['GET /api/apps the optional response header `total` removed for the status `200`']);
});

describe('a deprecated endpoint', () => {
  const deprecate = (document: any, sunset: string) =>
    Object.assign(document.paths['/api/apps/{id}'].delete, { deprecated: true, 'x-sunset': sunset });
  const remove: Change = ({ paths }) => delete paths['/api/apps/{id}'].delete;
  const daysFromNow = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const deprecated = (sunset: string) => {
    const document = structuredClone(released);
    deprecate(document, sunset);
    return document;
  };

  test('has a sunset in 180 days at the earliest, and may be removed after it', () => {
    expect(changesOf((document) => deprecate(document, daysFromNow(182)))).toEqual([]);
    expect(changesOf((document) => deprecate(document, daysFromNow(178)))).toEqual([
      expect.stringContaining('must be at least `180` days from now'),
    ]);
    expect(changesOf(remove, [], deprecated(daysFromNow(-2)))).toEqual([]);
    expect(changesOf(remove, [], deprecated(daysFromNow(2)))).toEqual([
      expect.stringContaining('DELETE /api/apps/{id} api removed before the sunset date'),
    ]);
  });
});

test('a declaration covers its own change only', () => {
  const [, removal, declared] = breaking[0]!;
  const both: Change = (document) => {
    removal(document);
    delete document.paths['/api/apps/{id}'].put;
  };
  expect(changesOf(both, [declared])).toEqual(['PUT /api/apps/{id} api removed without deprecation']);
});
