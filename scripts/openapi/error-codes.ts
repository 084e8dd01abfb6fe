/** The parts of an OpenAPI document that are read here. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { responses?: Record<string, Response>; schemas: Record<string, Schema> };
}
interface Response {
  $ref?: string;
  content?: Record<string, { schema?: Schema }>;
  'x-error-codes'?: string[];
}
type Schema = object;

/**
 * Returns a copy of the document that states the error codes of each response in its schema, since oasdiff compares no extensions. Each code is a required
 * property of `code`: a code that an operation no longer returns is a removed property, which breaks clients. A new code is a new property, which does not.
 */
export function withErrorCodes(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  for (const item of Object.values(copy.paths)) {
    for (const { responses } of Object.values(item)) {
      for (const [status, response] of Object.entries(responses)) responses[status] = withCodes(response, copy);
    }
  }
  return copy;
}

function withCodes(response: Response, { components }: OpenApiDocument): Response {
  const { 'x-error-codes': codes, ...rest } = components.responses?.[nameOf(response)] ?? response;
  if (!codes) return response;
  const content = Object.entries(rest.content ?? {}).map(([type, media]) => {
    const problem = components.schemas[nameOf(media.schema ?? {})] ?? media.schema;
    return [type, { ...media, schema: { ...problem, properties: { ...propertiesOf(problem), code: schemaOf(codes) } } }];
  });
  return { ...rest, content: Object.fromEntries(content) as NonNullable<Response['content']> };
}

const schemaOf = (codes: string[]): Schema => ({
  type: 'object',
  required: codes,
  properties: Object.fromEntries(codes.map((code) => [code, { type: 'string' }])),
});
const propertiesOf = (schema: { properties?: object } | undefined): object => schema?.properties ?? {};

/** Last part of a reference: `Problem` of `#/components/schemas/Problem`. */
const nameOf = ({ $ref = '' }: { $ref?: string }): string => $ref.split('/').at(-1) ?? '';
