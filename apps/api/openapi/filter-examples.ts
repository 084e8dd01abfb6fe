import type { ParameterObject } from 'openapi3-ts/oas31';
import { z } from 'zod';

/**
 * An example of a filter. The API reference shows it but does not send it: without `x-disabled`, it would send the first value of each enum, and most
 * lists would be empty.
 */
export function filterExamples(filter: z.ZodType): Pick<ParameterObject, 'examples'> {
  const value = filter instanceof z.ZodOptional ? (filter.meta()?.['example'] ?? valueOf(filter.unwrap())) : undefined;
  return value === undefined ? {} : { examples: { filter: { value, 'x-disabled': true } } };
}

function valueOf(schema: unknown): unknown {
  if (schema instanceof z.ZodEnum) return schema.options[0];
  return schema instanceof z.ZodBoolean ? true : undefined;
}
