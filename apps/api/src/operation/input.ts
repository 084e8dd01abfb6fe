import { type Endpoint, type FieldError, ProblemError } from '@profile-service/contracts';
import { z } from 'zod';
import type { StagedFile } from '../handler/files.ts';

/** Path, query and body as they arrived. Over tRPC one flat object stands for all three. */
export interface RawInput {
  params: unknown;
  query: unknown;
  body: unknown;
  /** Of an upload. */
  file?: StagedFile;
}

/** The validated input of a handler: path, query and body in one object. */
export type Input = Record<string, unknown>;

const maxDepth = 32;
/** Limits the response to a body with a million invalid items. */
const maxErrors = 100;

/** Creates the function that validates a call of the endpoint and merges path, query and body into one input. Where path and body both have an id, the path's counts. */
export function compileInput(endpoint: Endpoint): (raw: RawInput) => Input {
  const all: [keyof RawInput, z.ZodObject][] = [
    ['body', endpoint.body ?? z.object({})],
    ['query', z.object(endpoint.query)],
    ['params', z.object(endpoint.params)],
  ];
  // Parts that the endpoint does not declare are ignored.
  const parts = all.filter(([, schema]) => Object.keys(schema.shape).length > 0);

  return (raw) => {
    rejectUnstorable(parts.map(([name]) => raw[name]));
    const input: Input = {};
    const errors = new FieldErrors();
    for (const [name, schema] of parts) {
      const result = schema.safeParse(name === 'query' ? withoutEmpty(raw.query) : raw[name]);
      if (result.success) Object.assign(input, result.data);
      else for (const { path, message } of result.error.issues) errors.add({ path: path.join('.'), message });
    }
    errors.throwIfAny();
    return input;
  };
}

/** An empty filter counts as absent, over every transport. */
const withoutEmpty = (query: unknown): unknown =>
  typeof query === 'object' && query !== null && !Array.isArray(query)
    ? Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
    : query;

/** The errors of all parts. An error that the flat object of tRPC causes in several parts is reported once. */
class FieldErrors {
  readonly #errors = new Map<string, FieldError>();

  add(error: FieldError): void {
    if (this.#errors.size < maxErrors) this.#errors.set(`${error.path} ${error.message}`, error);
  }

  throwIfAny(): void {
    if (this.#errors.size > 0) throw new ProblemError('VALIDATION_FAILED', { errors: [...this.#errors.values()] });
  }
}

/** Rejects values that PostgreSQL or JSON cannot store, and nesting that is too deep. Reports the first such place of each part. */
function rejectUnstorable(parts: readonly unknown[]): void {
  const errors = new FieldErrors();
  for (const part of new Set(parts)) {
    const error = findUnstorable(part, [], 0);
    if (error) errors.add(error);
  }
  errors.throwIfAny();
}

function findUnstorable(value: unknown, path: string[], depth: number): FieldError | undefined {
  const message = unstorableValue(value);
  if (message) return { path: path.join('.'), message };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maxDepth) return { path: path.slice(0, 3).join('.'), message: `Nested deeper than ${maxDepth} levels` };
  for (const [key, item] of Object.entries(value)) {
    if (unstorableValue(key)) return { path: path.join('.'), message: 'A key has a character that is not allowed' };
    const error = findUnstorable(item, [...path, key], depth + 1);
    if (error) return error;
  }
  return undefined;
}

function unstorableValue(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'The number is too large';
  if (typeof value !== 'string') return undefined;
  if (value.includes('\u0000')) return 'The NUL character is not allowed';
  return value.isWellFormed() ? undefined : 'The text is not well-formed Unicode';
}
