import { docComment } from './comment.ts';

/** The parts of JSON Schema that the contracts use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: readonly string[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  /** The known values of a text. */
  'x-extensible-enum'?: readonly string[];
  description?: string;
  default?: unknown;
}

/** `input`: default values are documented. */
export type Direction = 'input' | 'output';

const primitives: Record<string, string> = { string: 'string', boolean: 'boolean', integer: 'number', number: 'number', null: 'null' };

/** Writes the TypeScript type of a schema. Schemas with a name are referred to by it. @throws Error if the schema uses anything else */
export function schemaType(schema: JsonSchema, direction: Direction): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  const known = schema['x-extensible-enum'];
  // A service may send values that are newer than the client.
  if (known) return [...known.map((value) => JSON.stringify(value)), '(string & {})'].join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return [...new Set(schema.anyOf.map((branch) => schemaType(branch, direction)))].join(' | ');
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'unknown';
  return types.map((type) => typeNamed(type, schema, direction)).join(' | ');
}

function typeNamed(type: string, schema: JsonSchema, direction: Direction): string {
  if (type === 'array') return arrayOf(schemaType(schema.items ?? {}, direction));
  if (type === 'object' && schema.properties) return `{\n${fields(schema, direction)}}`;
  if (type === 'object') {
    const { additionalProperties: values } = schema;
    return `Record<string, ${typeof values === 'object' ? schemaType(values, direction) : 'unknown'}>`;
  }
  const primitive = primitives[type];
  if (primitive === undefined) throw new Error(`The generator does not know the JSON Schema type ${type}`);
  return primitive;
}

/** Writes the fields of an object type with their descriptions. */
export function fields({ properties = {}, required = [] }: JsonSchema, direction: Direction): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const type = schemaType(schema, direction);
      const comment = docComment(describe(schema, direction), 2);
      return `${comment}${name}${required.includes(name) ? `: ${type}` : `?: ${type} | undefined`};\n`;
    })
    .join('');
}

function describe({ description, default: value }: JsonSchema, direction: Direction): string | undefined {
  if (direction === 'output' || value === undefined || description?.includes('Default: ')) return description;
  return [description, `Default: ${typeof value === 'string' ? value : JSON.stringify(value)}.`].filter(Boolean).join(' ');
}

const arrayOf = (item: string): string => (/^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`);
