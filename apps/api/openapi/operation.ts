import { type Endpoint, requestHeaders, requestHeadersOf } from '@profile-service/contracts';
import type { OperationObject, ParameterObject, RequestBodyObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31';
import { formContent } from './files.ts';
import { responsesOf } from './responses.ts';
import { mendSchema } from './schemas.ts';

const componentName = (header: string) => header.replaceAll('-', '');

/** The request headers, as components. */
export const headerParameters: Record<string, ParameterObject> = Object.fromEntries(
  Object.entries(requestHeaders).map(([name, { description, type }]) => [
    componentName(name),
    { name, in: 'header', required: false, description, schema: { type } },
  ]),
);

/** Puts right what the generator cannot know of an operation: its one security scheme, its header, its named body, its answers. */
export function mendOperation(generated: OperationObject, endpoint: Endpoint): OperationObject {
  const isService = endpoint.access.kind === 'service';
  const { parameters = [], requestBody, responses, ...texts } = generated;
  return {
    ...texts,
    security: [isService ? { serviceToken: [] } : { userToken: [] }],
    parameters: [
      ...(parameters as ParameterObject[]).map((parameter) => mendParameter(parameter, endpoint)),
      ...requestHeadersOf(endpoint).map((name) => ({ $ref: `#/components/parameters/${componentName(name)}` })),
    ],
    ...(endpoint.body ? { requestBody: mendBody(requestBody as RequestBodyObject, endpoint) } : {}),
    responses: responsesOf(endpoint, schemaOf((responses as Record<string, ResponseObject>)['200'])),
  };
}

/** The generator loses a description that lies on the `optional` around a schema, and knows nothing of empty filters, which count as absent. */
function mendParameter(parameter: ParameterObject, { params, query }: Endpoint): ParameterObject {
  const { description } = { ...params, ...query }[parameter.name] ?? {};
  const schema = parameter.schema ?? {};
  mendSchema(schema);
  if ('description' in schema) delete schema.description;
  return { ...parameter, ...(description ? { description } : {}), ...(parameter.in === 'query' ? { allowEmptyValue: true } : {}), schema };
}

/** Takes the body out of the nesting of `procedureOf`; where nothing in it is required it may be left out. */
function mendBody(nested: RequestBodyObject, endpoint: Endpoint): RequestBodyObject {
  const schema = schemaOf(nested).properties?.['body'] ?? {};
  if (endpoint.media === 'upload') return { required: true, content: formContent(schema, endpoint) };
  return { required: endpoint.body?.safeParse({}).success !== true, content: { 'application/json': { schema } } };
}

const schemaOf = (message: { content?: ResponseObject['content'] } | undefined): SchemaObject =>
  (message?.content?.['application/json']?.schema ?? {}) as SchemaObject;
