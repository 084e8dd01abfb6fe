import { type Endpoint, type Header, requestHeaders, requestHeadersOf } from '@profile-service/contracts';
import type { OperationObject, ParameterObject, RequestBodyObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31';
import { formContent } from './files.ts';
import { filterExamples } from './filter-examples.ts';
import { responsesOf } from './responses.ts';
import { normalizeSchema } from './schemas.ts';

const componentName = (header: string) => header.replaceAll('-', '');

/** The request headers, as components. */
export const headerParameters: Record<string, ParameterObject> = Object.fromEntries(
  Object.entries<Header>(requestHeaders).map(([name, { description, ...schema }]) => [
    componentName(name),
    { name, in: 'header', required: false, description, schema },
  ]),
);

/** Replaces what the generator does not know about an operation: its security scheme, its headers, its named body and its responses. */
export function completeOperation(generated: OperationObject, endpoint: Endpoint): OperationObject {
  const isService = endpoint.access.kind === 'service';
  const { parameters = [], requestBody, responses, ...rest } = generated;
  return {
    ...rest,
    ...(endpoint.sunset === null ? {} : { deprecated: true, 'x-sunset': endpoint.sunset }),
    security: [isService ? { serviceToken: [] } : { userToken: [] }],
    parameters: [
      ...(parameters as ParameterObject[]).map((parameter) => completeParameter(parameter, endpoint)),
      ...requestHeadersOf(endpoint).map((name) => ({ $ref: `#/components/parameters/${componentName(name)}` })),
    ],
    ...(endpoint.body ? { requestBody: completeBody(requestBody as RequestBodyObject, endpoint) } : {}),
    responses: responsesOf(endpoint, schemaOf((responses as Record<string, ResponseObject>)['200'])),
  };
}

/** Adds the description, which the generator loses when it is on an optional schema. Empty filters count as absent: they are allowed unless required. Lists have commas. */
function completeParameter(parameter: ParameterObject, { params, query }: Endpoint): ParameterObject {
  const { description } = { ...params, ...query }[parameter.name] ?? {};
  const filter = query[parameter.name];
  const schema = parameter.schema ?? {};
  normalizeSchema(schema);
  if ('description' in schema) delete schema.description;
  if (filter && 'examples' in schema) delete schema.examples;
  return {
    ...parameter,
    ...(description ? { description } : {}),
    ...(filter && parameter.required !== true ? { allowEmptyValue: true } : {}),
    ...(filter ? filterExamples(filter) : {}),
    ...('type' in schema && schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  };
}

/** Extracts the body that `procedureOf` nests. The body is optional if none of its fields is required. */
function completeBody(nested: RequestBodyObject, endpoint: Endpoint): RequestBodyObject {
  const schema = schemaOf(nested).properties?.['body'] ?? {};
  if (endpoint.media === 'upload') return { required: true, content: formContent(schema) };
  return { required: endpoint.body?.safeParse({}).success !== true, content: { 'application/json': { schema } } };
}

const schemaOf = (message: { content?: ResponseObject['content'] } | undefined): SchemaObject =>
  (message?.content?.['application/json']?.schema ?? {}) as SchemaObject;
