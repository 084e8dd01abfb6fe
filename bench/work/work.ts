import type { HttpRequest } from './encode.ts';
import type { World } from './world.ts';

/** A kind of request. */
export interface Work {
  name: string;
  /** The status of its responses. */
  status: number;
  /** How many different requests there are. `all`: each request creates a record of its own. */
  different: number | 'all';
  /** Whether the floor responds to it too. */
  onFloor: boolean;
  /** Returns the nth request. */
  request(world: World, n: number): HttpRequest;
}
