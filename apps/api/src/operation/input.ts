import { type FieldError, ProblemError, type Endpoint } from '@profile-service/contracts';
import { z } from 'zod';
import type { StagedFile } from '../handler/files.ts';

/** Path, query and body as they came; over tRPC one flat object stands for all three. */
export interface RawInput {
  params: unknown;
  query: unknown;
  body: unknown;
  /** Of an upload. */
  file?: StagedFile;
}

/** What a handler gets: validated, and of one piece. */
export type Input = Record<string, unknown>;

const maximumDepth = 32;
/** A body of a million wrong items gets no answer of a million lines. */
const mostFaults = 100;

/** Makes the function that validates a call of the row and merges its parts into one input; the path's ids win. */
export function compileInput(endpoint: Endpoint): (raw: RawInput) => Input {
  const all: [keyof RawInput, z.ZodObject][] = [
    ['body', endpoint.body ?? z.object({})],
    ['query', z.object(endpoint.query)],
    ['params', z.object(endpoint.params)],
  ];
  // What the row does not ask for is not looked at.
  const parts = all.filter(([, schema]) => Object.keys(schema.shape).length > 0);

  return (raw) => {
    refuseUnclean(parts.map(([name]) => raw[name]));
    const input: Input = {};
    const faults = new Faults();
    for (const [name, schema] of parts) {
      const result = schema.safeParse(name === 'query' ? withoutEmpty(raw.query) : raw[name]);
      if (result.success) Object.assign(input, result.data);
      else for (const { path, message } of result.error.issues) faults.add({ path: path.join('.'), message });
    }
    faults.throwIfAny();
    return input;
  };
}

/** An empty filter counts as absent (decisions, part 1), over both faces. */
const withoutEmpty = (query: unknown): unknown =>
  typeof query === 'object' && query !== null && !Array.isArray(query)
    ? Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
    : query;

/** The faults of all parts; one that the flat object of tRPC shows in several parts counts once. */
class Faults {
  readonly #faults = new Map<string, FieldError>();

  add(fault: FieldError): void {
    if (this.#faults.size < mostFaults) this.#faults.set(`${fault.path} ${fault.message}`, fault);
  }

  throwIfAny(): void {
    if (this.#faults.size > 0) throw new ProblemError('VALIDATION_FAILED', { errors: [...this.#faults.values()] });
  }
}

/** Refuses what neither PostgreSQL nor JSON can hold, and nesting that no field of ours has. Named is the first such place of each part. */
function refuseUnclean(parts: readonly unknown[]): void {
  const faults = new Faults();
  for (const part of new Set(parts)) {
    const fault = findUnclean(part, [], 0);
    if (fault) faults.add(fault);
  }
  faults.throwIfAny();
}

function findUnclean(value: unknown, path: string[], depth: number): FieldError | undefined {
  const message = uncleanValue(value);
  if (message) return { path: path.join('.'), message };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maximumDepth) return { path: path.slice(0, 3).join('.'), message: `Nested deeper than ${maximumDepth} levels` };
  for (const [key, item] of Object.entries(value)) {
    if (uncleanValue(key)) return { path: path.join('.'), message: 'A key has a character that is not allowed' };
    const fault = findUnclean(item, [...path, key], depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

function uncleanValue(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'The number is too large';
  if (typeof value !== 'string') return undefined;
  if (value.includes('\u0000')) return 'The NUL character is not allowed';
  return value.isWellFormed() ? undefined : 'The text is not well-formed Unicode';
}
