import { type NamedRow, Problem } from '@profile-service/contracts';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import manifest from '../package.json' with { type: 'json' };
import { addFiles, downloadParameters } from './files.ts';
import { description, securitySchemes, title } from './info.ts';
import { mendOperation, tenantParameter } from './operation.ts';
import { problemExamples } from './problem-examples.ts';
import { responseHeaders } from './responses.ts';
import { methodOf, routerOf } from './router.ts';
import { joinSplitSchemas, mendSchema } from './schemas.ts';
import { tagsOf } from './tags.ts';

/**
 * Makes the OpenAPI 3.1 document of the rows: what the generator says of them, with what it cannot know put right.
 * @throws where a schema name would stand for two schemas
 */
export function createDocument(rows: readonly NamedRow[]): OpenAPIObject {
  const {
    openapi,
    info,
    servers,
    paths = {},
    components = {},
  } = generateOpenApiDocument(routerOf(rows), {
    title,
    description,
    version: manifest.version,
    baseUrl: '/',
    securitySchemes,
    defs: { Problem },
  });
  for (const { row } of rows) {
    const item = paths[row.path] ?? {};
    item[methodOf(row)] = mendOperation(item[methodOf(row)] ?? {}, row);
  }
  const schemas = Object.entries(components.schemas ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [, schema] of schemas) mendSchema(schema);
  addFiles(components.schemas ?? {}, rows);
  return joinSplitSchemas({
    openapi,
    info,
    ...(servers ? { servers } : {}),
    tags: tagsOf(rows),
    paths,
    components: {
      ...components,
      schemas: Object.fromEntries(schemas),
      parameters: { XTenantId: tenantParameter, ...downloadParameters },
      headers: responseHeaders,
      examples: problemExamples(rows),
    },
  });
}

/** The text of the committed file. */
export const printDocument = (document: OpenAPIObject): string => `${JSON.stringify(document, null, 2)}\n`;
