import type { Random } from '../random.ts';
import type { Model } from '../../test/oracle/model.ts';
import type { ResolvedCaller } from '../../test/oracle/caller.ts';

/** Path, query and body in one flat object; an upload's file is its text in `file`. */
export type Input = Record<string, unknown>;
/** The body of a response. */
export type Body = Record<string, unknown>;

/** The context in which an input is drawn. The input may name records inside or outside the caller's scope. */
export interface DrawContext {
  model: Model;
  who: ResolvedCaller;
  random: Random;
}

/** A caller whom the guard lets pass, with a well-formed input. */
export interface Case {
  model: Model;
  who: ResolvedCaller;
  input: Input;
}

/** The response by the specification. */
export type Outcome = Refusal | Success;
export interface Refusal {
  /** Several if the specification leaves the order of two checks open. */
  codes: readonly string[];
}
export interface Success {
  /** The body. New ids are taken from the actual response. */
  body: (answered: Body) => unknown;
  /** What the request changes in the model. */
  change?: (answered: Body) => void;
  /** How many events a stream has now. */
  streamed?: number;
}

/** Draws inputs of an endpoint and predicts its responses. */
export interface Driver {
  draw(context: DrawContext): Input;
  outcome(it: Case): Outcome;
}

export const refuse = (...codes: string[]): Refusal => ({ codes });
/** A 403 takes precedence. The specification leaves the order of the other checks open. */
export const refuseFor = (codes: string[]): Refusal =>
  refuse(...(codes.includes('NOT_ALLOWED_ORGANIZATION') ? ['NOT_ALLOWED_ORGANIZATION'] : codes));
export const answer = (body: unknown, change?: () => void): Success => ({ body: () => body, ...(change ? { change } : {}) });
/** A success without a body. */
export const done = (change: () => void): Success => answer(undefined, change);
export const isRefusal = (outcome: Outcome): outcome is Refusal => 'codes' in outcome;

/** An endpoint without input. */
export const plain = (outcome: (it: Case) => Outcome): Driver => ({ draw: () => ({}), outcome });

/** The page of these items, in their order (LISTS-1, LISTS-10). */
export function page(items: readonly unknown[], { page: current = 1, limit = 20, cursor }: Input): Success {
  const [from, size] = [(Number(current) - 1) * Number(limit), Number(limit)];
  const data = items.slice(from, from + size);
  if (cursor !== undefined) return { body: ({ nextCursor }) => ({ data, nextCursor: items.length > size ? String(nextCursor) : null }) };
  return answer({ data, total: items.length, totalPages: Math.ceil(items.length / size), currentPage: Number(current) });
}
