import { type FieldError, ProblemError, type Row } from '@profile-service/contracts';
import { z } from 'zod';
import type { StagedFile } from './files.ts';

/** Path, query and body as they came; over tRPC one flat object stands for all three. */
export interface RawInput {
  params: unknown;
  query: unknown;
  body: unknown;
  /** Of an upload. */
  file?: StagedFile;
}

type Input = Record<string, unknown>;

const maximumDepth = 32;

/** Makes the function that validates a call of the row and merges its parts into one input; the path's ids win. */
export function compileInput(row: Row): (raw: RawInput) => Input {
  const params = z.object(row.params);
  const query = z.object(row.query);
  return (raw) => {
    const faults: FieldError[] = [];
    const check = (schema: z.ZodObject, part: unknown): Input => {
      const unclean = findUnclean(part, [], 0);
      if (unclean) {
        faults.push(unclean);
        return {};
      }
      const result = schema.safeParse(part);
      if (result.success) return result.data;
      faults.push(...result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })));
      return {};
    };
    const input = { ...(row.body ? check(row.body, raw.body) : {}), ...check(query, raw.query), ...check(params, raw.params) };
    if (faults.length > 0) throw new ProblemError('VALIDATION_FAILED', { errors: faults });
    return input;
  };
}

/** Text that PostgreSQL cannot hold (NUL, lone surrogates), and nesting that no field of ours has. */
function findUnclean(value: unknown, path: string[], depth: number): FieldError | undefined {
  if (typeof value === 'string') {
    const fault = uncleanText(value);
    return fault ? { path: path.join('.'), message: fault } : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maximumDepth) return { path: path.slice(0, 3).join('.'), message: `Nested deeper than ${maximumDepth} levels` };
  for (const [key, item] of Object.entries(value)) {
    if (uncleanText(key)) return { path: path.join('.'), message: 'A key has a character that is not allowed' };
    const fault = findUnclean(item, [...path, key], depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

function uncleanText(text: string): string | undefined {
  if (text.includes('\u0000')) return 'The NUL character is not allowed';
  return text.isWellFormed() ? undefined : 'The text is not well-formed Unicode';
}
