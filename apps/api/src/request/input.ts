import { type Endpoint, type FieldError, ProblemError } from '@profile-service/contracts';
import { z } from 'zod';
import type { StagedFile } from './files.ts';

/** Path, query and body before validation. Over tRPC, one flat object is all three. */
export interface RawInput {
  params: unknown;
  query: unknown;
  body: unknown;
  /** The file of an upload. */
  file?: StagedFile;
  /** The header If-Match; over tRPC the field `ifMatch`. */
  ifMatch?: unknown;
  /** The header Idempotency-Key; over tRPC the field `idempotencyKey`. */
  idempotencyKey?: unknown;
  /** The header Last-Event-ID; over tRPC the field `lastEventId`. */
  lastEventId?: unknown;
  /** The header If-None-Match, over REST alone. */
  ifNoneMatch?: string | undefined;
}

/** The validated input of a handler: path, query and body in one object. */
export type Input = Record<string, unknown>;

/** Maximum nesting of objects and arrays in the input (D-11). */
const maxDepth = 32;
/** Maximum number of errors in a response: a body may have a million invalid items. */
const maxErrors = 100;

/**
 * Creates the function that validates path, query and body and merges them into the input of the handler. A path parameter overrides a body field of the
 * same name (INPUT-6). The function throws VALIDATION_FAILED with all errors.
 */
export function compileInput(endpoint: Endpoint): (raw: RawInput) => Input {
  const all: [keyof RawInput, z.ZodObject][] = [
    ['body', endpoint.body ?? z.object({})],
    ['query', z.object(endpoint.query)],
    ['params', z.object(endpoint.params)],
  ];
  // Parts that the endpoint does not declare are ignored.
  const parts = all.filter(([, schema]) => Object.keys(schema.shape).length > 0);

  return (raw) => {
    rejectUnstorable(parts.map(([name, schema]) => [raw[name], Object.keys(schema.shape)]));
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

/** Removes empty query parameters: an empty filter counts as absent (INPUT-7). */
const withoutEmpty = (query: unknown): unknown =>
  typeof query === 'object' && query !== null && !Array.isArray(query)
    ? Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
    : query;

/** Collects the errors of path, query and body. Over tRPC the same object is all three, so each error is reported once. */
class FieldErrors {
  readonly #errors = new Map<string, FieldError>();

  add(error: FieldError): void {
    if (this.#errors.size < maxErrors) this.#errors.set(`${error.path} ${error.message}`, error);
  }

  throwIfAny(): void {
    if (this.#errors.size > 0) throw new ProblemError('VALIDATION_FAILED', { errors: [...this.#errors.values()] });
  }
}

/**
 * Rejects values that PostgreSQL or JSON cannot store, and nesting that is too deep. Reports the first error of each part. Looks only at the declared fields:
 * unknown ones are ignored (INPUT-9).
 */
function rejectUnstorable(parts: readonly [value: unknown, names: readonly string[]][]): void {
  const errors = new FieldErrors();
  for (const [part, names] of parts) {
    if (typeof part !== 'object' || part === null) continue;
    for (const name of names) {
      const error = findUnstorable((part as Input)[name], 1);
      if (!error) continue;
      errors.add({ path: [name, ...error.path].join('.'), message: error.message });
      break;
    }
  }
  errors.throwIfAny();
}

interface Unstorable {
  path: string[];
  message: string;
}

/** Searches a value and everything in it. Builds the path only when it has found an error. @returns the first error, with a path from this value */
function findUnstorable(value: unknown, depth: number): Unstorable | undefined {
  const message = unstorableValue(value);
  if (message) return { path: [], message };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maxDepth) return { path: [], message: tooDeep };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const error = findUnstorable(value[index], depth + 1);
      if (error) return within(String(index), error, depth);
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (unstorableValue(key)) return { path: [], message: 'A key has a character that is not allowed' };
    const error = findUnstorable((value as Input)[key], depth + 1);
    if (error) return within(key, error, depth);
  }
  return undefined;
}

const tooDeep = `Nested deeper than ${maxDepth} levels`;

/** Adds a key to the path of an error. Of a value that is too deep, the path has three keys. */
const within = (key: string, { path, message }: Unstorable, depth: number): Unstorable => ({
  path: message === tooDeep && depth > 2 ? [] : [key, ...path],
  message,
});

/** Whether PostgreSQL can store the value. */
export const isStorable = (value: unknown): boolean => unstorableValue(value) === undefined;

/** @returns the error message for a value that cannot be stored */
function unstorableValue(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'The number is too large';
  if (typeof value !== 'string') return undefined;
  if (value.includes('\u0000')) return 'The NUL character is not allowed';
  return value.isWellFormed() ? undefined : 'The text is not well-formed Unicode';
}
