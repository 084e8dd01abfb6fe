import { isDeepStrictEqual } from 'node:util';
import { endpoints, Problem } from '@profile-service/contracts';
import { z } from 'zod';
import { docComment } from './comment.ts';
import { type Direction, fields, type JsonSchema, schemaType } from './schema-type.ts';

/** Written by hand or from the catalogue of errors. */
const elsewhere = new Set(['ErrorCode']);

/** A service may send codes that are newer than the client. */
const openCode = 'ErrorCode | (string & {})';

/** Writes a type for each named schema, in the order of the contracts. */
export function writeModels(): string {
  const sent = namesIn(
    endpoints.map(({ endpoint }) => z.object({ ...endpoint.params, ...endpoint.query, body: endpoint.body ?? z.null() })),
  );
  const received = namesIn([Problem, ...endpoints.map(({ endpoint }) => endpoint.output ?? z.null())]);
  const [inputs, outputs] = [allSchemas('input'), allSchemas('output')];
  const models = Object.keys(outputs)
    .filter((name) => !elsewhere.has(name) && (sent.has(name) || received.has(name)))
    .map((name) => {
      const [input, output] = [inputs[name] ?? {}, outputs[name] ?? {}];
      if (sent.has(name) && received.has(name) && !isDeepStrictEqual(textOf(input), textOf(output)))
        throw new Error(`The schema ${name} differs between requests and responses: give the two schemas different ids`);
      return received.has(name) ? writeModel(name, output, 'output') : writeModel(name, input, 'input');
    });
  return `import type { ErrorCode } from './errors.ts';\n\n${models.join('\n')}`;
}

/** The named schemas of the contracts. */
export const allSchemas = (io: Direction) =>
  z.toJSONSchema(z.globalRegistry, { io, uri: (id) => id, unrepresentable: 'any' }).schemas as Record<string, JsonSchema>;

/** The names of the schemas that these schemas contain. */
function namesIn(schemas: z.ZodType[]): Set<string> {
  const text = JSON.stringify(z.toJSONSchema(z.tuple(schemas as [z.ZodType, ...z.ZodType[]]), { unrepresentable: 'any' }));
  return new Set([...text.matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name]) => name ?? ''));
}

/** The type without what differs by direction only. */
const textOf = (schema: JsonSchema): string => schemaType({ ...schema, description: '' }, 'output');

function writeModel(name: string, schema: JsonSchema, direction: Direction): string {
  const comment = docComment(schema.description);
  if (!schema.properties) return `${comment}export type ${name} = ${schemaType(schema, direction)};\n`;
  const body = fields(schema, direction);
  return `${comment}export interface ${name} {\n${name === 'Problem' ? body.replace(/^code: .*;$/m, `code: ${openCode};`) : body}}\n`;
}
