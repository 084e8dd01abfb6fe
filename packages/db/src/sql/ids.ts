import { v7 } from 'uuid';

/** Returns the id of a new record: a UUIDv7, so that ids sort by creation. */
export function newId(): string {
  return v7();
}
