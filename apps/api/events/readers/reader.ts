/** A number for each event of the run. The ids of a million events would use much memory in each reader. */
const numbers = new Map<string, number>();

export function numberOf(eventId: string): number {
  let number = numbers.get(eventId);
  if (number === undefined) numbers.set(eventId, (number = numbers.size));
  return number;
}

export const idOf = (number: number): string => [...numbers.keys()][number] ?? '';

/** What a reader got: the numbers of the events, in this order. */
export class Received {
  readonly numbers: number[] = [];
  readonly distinct = new Set<number>();

  add(eventId: string): void {
    const number = numberOf(eventId);
    this.numbers.push(number);
    this.distinct.add(number);
  }
}

/** Statuses after which a reader tries again: the database is unavailable, or requests wait too long for it. */
export const temporary = [429, 503];

/** Which events a reader must get. */
export interface Filter {
  /** SQL on the view `events`: what the filters and the rights of the reader select. */
  condition: string;
  values?: unknown[];
}

/** Somebody who follows the events. */
export interface Reader extends Filter {
  name: string;
  received: Received;
  /** `once`: each event exactly once. `repeated`: at least once. */
  delivery: 'once' | 'repeated';
  /** Errors that a client must not see, and rules that were broken. */
  problems: string[];
  stop(): Promise<void>;
}
