import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';

type Schema = SchemaObject | ReferenceObject;

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** Formats that make the pattern redundant. `email` keeps its pattern, which is stricter than the format. */
const formatsWithoutPattern = ['uuid', 'date-time'];

/** Normalizes a schema for client generators: open objects, named free-form maps, sized numbers, no redundant patterns. */
export function normalizeSchema(schema: Schema): void {
  if ('$ref' in schema) return;
  const types = [schema.type].flat();
  if (types.includes('number')) schema.format = 'double';
  if (types.includes('integer')) normalizeInteger(schema);
  if (schema.format && formatsWithoutPattern.includes(schema.format)) delete schema.pattern;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (isDeepStrictEqual(schema.additionalProperties, {})) schema.additionalProperties = true;
  // Names are texts in every JSON object.
  if (isDeepStrictEqual(schema.propertyNames, { type: 'string' })) delete schema.propertyNames;
  if (schema.example !== undefined) schema.examples = [schema.example];
  delete schema.example;
  for (const inner of schemasIn(schema)) {
    normalizeSchema(inner);
    referToJsonObject(inner);
  }
}

/** A free-form map. As one component, because client generators create a class for each unnamed map. */
export const JsonObject = {
  type: 'object',
  additionalProperties: true,
  description: 'A JSON object with keys and values of your own.',
} as const;

/** Replaces an unnamed free-form map by a reference to the component. */
function referToJsonObject(schema: Schema): void {
  if ('$ref' in schema || schema.type !== JsonObject.type || schema.additionalProperties !== true || schema.properties) return;
  delete schema.type;
  delete schema.additionalProperties;
  Object.assign(schema, { $ref: reference('JsonObject') });
}

function normalizeInteger(schema: SchemaObject): void {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  schema.format = minimum >= int32.minimum && maximum <= int32.maximum ? 'int32' : 'int64';
  if (minimum === int32.minimum) delete schema.minimum;
  if (maximum === int32.maximum) delete schema.maximum;
}

function schemasIn({ properties = {}, items, anyOf = [], oneOf = [], allOf = [], additionalProperties }: SchemaObject): Schema[] {
  const single = [items, additionalProperties].filter((inner) => typeof inner === 'object');
  return [...Object.values(properties), ...single, ...anyOf, ...oneOf, ...allOf];
}

/**
 * Merges duplicates: the generator writes a schema of both requests and responses twice, as `X` and `XOutput`.
 * @throws if the two still differ after normalization: then the contract has one name for two schemas
 */
export function joinSplitSchemas(document: OpenAPIObject): OpenAPIObject {
  const names = Object.keys(document.components?.schemas ?? {});
  const split = names.filter((name) => names.includes(`${name}Output`));
  const joined = JSON.parse(
    split.reduce((text, name) => text.replaceAll(`"${reference(name)}Output"`, `"${reference(name)}"`), JSON.stringify(document)),
  ) as OpenAPIObject;
  const schemas = joined.components?.schemas ?? {};
  for (const name of split) {
    if (!isDeepStrictEqual(schemas[name], schemas[`${name}Output`]))
      throw new Error(`The component ${name} differs between requests and responses: give the two schemas different ids`);
    delete schemas[`${name}Output`];
  }
  return joined;
}

const reference = (name: string): string => `#/components/schemas/${name}`;
