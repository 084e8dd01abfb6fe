import { z } from 'zod';

/** Selects what a schema declares from a value of that type. */
export type Projection = (value: unknown) => unknown;

/**
 * Creates the projection of an output schema. It copies the declared fields and does not check their types: the compiler has checked them. Parsing with the
 * schema takes ten times as long.
 * @throws an error for a type that no output has had so far
 */
export function createProjection(schema: z.ZodType): Projection {
  if (schema instanceof z.ZodObject) return projectionOfObject(schema);
  if (schema instanceof z.ZodArray) {
    const project = createProjection(schema.element as z.ZodType);
    return (items) => (items as unknown[]).map(project);
  }
  if (schema instanceof z.ZodNullable) {
    const project = createProjection(schema.unwrap() as z.ZodType);
    return (value) => (value === null ? null : project(value));
  }
  if (isLeaf(schema)) return (value) => value;
  throw new Error(`An output cannot have the type ${schema.def.type}`);
}

/** Whether values of the schema are used as they are. */
const isLeaf = (schema: z.ZodType): boolean =>
  leaves.some((leaf) => schema instanceof leaf) || (schema instanceof z.ZodNullable && isLeaf(schema.unwrap() as z.ZodType));

const leaves = [z.ZodString, z.ZodStringFormat, z.ZodEnum, z.ZodNumber, z.ZodBoolean, z.ZodRecord, z.ZodUnknown];

const required = (schema: z.ZodType): z.ZodType => (schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema);

function projectionOfObject({ shape }: z.ZodObject): Projection {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    isOptional: schema instanceof z.ZodOptional,
    project: isLeaf(required(schema as z.ZodType)) ? undefined : createProjection(required(schema as z.ZodType)),
  }));
  // Copying an object with all keys is faster than adding one key after the other.
  const empty = Object.fromEntries(fields.map(({ name }) => [name, undefined]));
  return (value) => {
    const record = value as Record<string, unknown>;
    const projected: Record<string, unknown> = { ...empty };
    for (const { name, project, isOptional } of fields) {
      const field = record[name];
      if (field === undefined && isOptional) continue;
      if (field === undefined) throw new Error(`The output has no field ${name}`);
      projected[name] = project ? project(field) : field;
    }
    return projected;
  };
}
