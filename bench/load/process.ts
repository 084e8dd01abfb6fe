import { encode } from '../work/encode.ts';
import { findWork } from '../work/works.ts';
import { respondWith } from './generator.ts';
import { runWindow } from './run-window.ts';
import type { WindowRequest } from './window.ts';

/** The process of the load generator. It runs a window for each message, and answers with its result. */

/** The number of the last request by kind of work: each request that creates a record has its own. */
const sequences = new Map<string, number>();
/** The comparison of responses uses the numbers below. */
const firstNumber = 1_000;
/** Requests without a number are encoded once. */
const encoded = new Map<string, Buffer[]>();

function requestsOf({ work: name, world }: WindowRequest): () => Buffer {
  const work = findWork(name);
  const { different } = work;
  if (different === 'all') {
    return () => {
      const number = (sequences.get(name) ?? firstNumber) + 1;
      sequences.set(name, number);
      return encode(work.request(world, number));
    };
  }
  const key = `${name} ${world.size}`;
  const ring = encoded.get(key) ?? Array.from({ length: different }, (_, n) => encode(work.request(world, n)));
  encoded.set(key, ring);
  let next = 0;
  return () => ring[(next += 1) % ring.length] as Buffer;
}

respondWith((request: WindowRequest) =>
  runWindow(request, requestsOf(request)).catch((error: unknown) => {
    throw new Error(`${request.work}: ${String(error)}`);
  }),
);
