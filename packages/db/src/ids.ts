import { v7 } from 'uuid';

/** A new record's id: UUIDv7, so that ids order by creation. */
export function newId(): string {
  return v7();
}
