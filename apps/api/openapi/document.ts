import { type NamedEndpoint, Problem } from '@profile-service/contracts';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import manifest from '../package.json' with { type: 'json' };
import { addFiles } from './files.ts';
import { description, license, securitySchemes, title } from './info.ts';
import { completeOperation, headerParameters } from './operation.ts';
import { problemExamples } from './problem-examples.ts';
import { headerComponents } from './responses.ts';
import { methodOf, routerOf } from './router.ts';
import { joinSplitSchemas, JsonObject, normalizeSchema } from './schemas.ts';
import { tagsOf } from './tags.ts';

/**
 * Creates the OpenAPI 3.1 document of the endpoints: generates it, then adds what the generator does not know.
 * @throws if two schemas have the same name
 */
export function createDocument(endpoints: readonly NamedEndpoint[]): OpenAPIObject {
  const {
    openapi,
    info,
    servers,
    paths = {},
    components = {},
  } = generateOpenApiDocument(routerOf(endpoints), {
    title,
    description,
    version: manifest.version,
    baseUrl: '/',
    securitySchemes,
    defs: { Problem },
  });
  for (const { endpoint } of endpoints) {
    const item = paths[endpoint.path] ?? {};
    item[methodOf(endpoint)] = completeOperation(item[methodOf(endpoint)] ?? {}, endpoint);
  }
  const schemas = Object.entries({ JsonObject, ...components.schemas }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [, schema] of schemas) normalizeSchema(schema);
  addFiles(components.schemas ?? {}, endpoints);
  return joinSplitSchemas({
    openapi,
    info: { ...info, license },
    ...(servers ? { servers } : {}),
    tags: tagsOf(endpoints),
    paths,
    components: {
      ...components,
      schemas: Object.fromEntries(schemas),
      parameters: headerParameters,
      headers: headerComponents,
      examples: problemExamples(endpoints),
    },
  });
}

/** Formats the document as in the committed file. */
export const printDocument = (document: OpenAPIObject): string => `${JSON.stringify(document, null, 2)}\n`;
