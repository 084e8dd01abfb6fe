import document from '../../openapi.json' with { type: 'json' };

interface Schema<Value = object> {
  $ref?: string;
  examples?: Value[];
}
type Content = Record<string, { schema: Schema }>;
interface Operation {
  tags: string[];
  /** Headers are references without schema. */
  parameters?: { name?: string; in?: string; required?: boolean; schema?: Schema<string | number> }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

/** A request of the document, with the examples of its path parameters and of its body. */
export type ExampleRequest = (typeof exampleRequests)[number];

const schemas = document.components.schemas as unknown as Record<string, Schema>;
const nameOf = ({ $ref = '' }: Pick<Schema, '$ref'>): string => $ref.replace('#/components/schemas/', '');
const exampleOf = <Value = object>(schema: Schema<Value> | undefined): Value | undefined =>
  schema && (schema.examples ?? (schemas[nameOf(schema)] as Schema<Value> | undefined)?.examples)?.[0];

/** The id of the delivery in the examples. */
export const { id: deliveryId } = document.components.schemas.WebhookDelivery.examples[0]!;

/** The requests of all operations, in the order of the document. */
export const exampleRequests = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, { tags, parameters = [], requestBody, responses }]) => {
      const examples = new Map(parameters.map(({ name, schema }) => [name, exampleOf(schema)]));
      const query = parameters.filter((each) => each.in === 'query' && each.required).map(({ name }) => `${name}=${examples.get(name)}`);
      const [[type, content] = [undefined, undefined]] = Object.entries(requestBody?.content ?? {});
      const success = Object.keys(responses).find((status) => status < '300') ?? '';
      return {
        /** Method and path, such as `GET /api/users/{id}`. */
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        /** The path with the examples of its required parameters. */
        path: [path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(examples.get(name))), ...query].join('?'),
        tag: tags[0],
        /** Name of the schema of the body; undefined without body. */
        schema: content && nameOf(content.schema),
        body: exampleOf(content?.schema),
        isForm: type === 'multipart/form-data',
        success: Number(success),
        /** Example of the response body; undefined without JSON body. */
        response: exampleOf(responses[success]?.content?.['application/json']?.schema) as { id?: string } | undefined,
      };
    }),
);
