import type { Dice } from '../random.ts';
import type { Model } from '../model.ts';
import type { Standing } from '../oracle/standing.ts';

/** Path, query and body in one flat object; an upload's file is its text in `file`. */
export type Input = Record<string, unknown>;
/** An answer's body. */
export type Body = Record<string, unknown>;

/** Where an input is drawn: it may be about what the caller sees or about anything else. */
export interface Scene {
  model: Model;
  who: Standing;
  dice: Dice;
}

/** The case of a caller whom the guard lets pass, with a well-formed input. */
export interface Case {
  model: Model;
  who: Standing;
  input: Input;
}

/** What the specification says the answer is. */
export type Outcome = Refusal | Success;
export interface Refusal {
  /** More than one where the specification leaves the order of two checks open. */
  codes: readonly string[];
}
export interface Success {
  /** The body, of which ids that are made are taken from the answer. */
  body: (answered: Body) => unknown;
  /** What the request changes in the model. */
  change?: (answered: Body) => void;
}

/** How a endpoint is driven. */
export interface Driver {
  draw(scene: Scene): Input;
  outcome(it: Case): Outcome;
}

export const refuse = (...codes: string[]): Refusal => ({ codes });
export const answer = (body: unknown, change?: () => void): Success => ({ body: () => body, ...(change ? { change } : {}) });
/** A success without a body. */
export const done = (change: () => void): Success => answer(undefined, change);
export const isRefusal = (outcome: Outcome): outcome is Refusal => 'codes' in outcome;

/** A endpoint whose input is nothing. */
export const plain = (outcome: (it: Case) => Outcome): Driver => ({ draw: () => ({}), outcome });

/** The pagination envelope of specification part 2 over these items, in their order. */
export function page(items: readonly unknown[], { page: current = 1, limit = 20 }: Input): Success {
  const [from, size] = [(Number(current) - 1) * Number(limit), Number(limit)];
  const data = items.slice(from, from + size);
  return answer({ data, total: items.length, totalPages: Math.ceil(items.length / size), currentPage: Number(current) });
}
