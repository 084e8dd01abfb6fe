import { setTimeout as pause } from 'node:timers/promises';
import type { Instances } from '../environment/instances.ts';
import type { Attempts } from './attempts.ts';
import { type Request, type Response, send } from './request.ts';

/** A write with its final response. */
export interface Acknowledged {
  request: Request;
  /** Type of its event. */
  event: string;
  recordId: string;
  status: number;
  body: Buffer;
}

/** What all writers share. */
export interface LoadState {
  instances: Pick<Instances, 'urls' | 'targets'>;
  attempts: Attempts;
  /** The acknowledged writes that no check has taken yet. */
  acknowledged: Acknowledged[];
  /** Rules that a response has broken, such as a read that misses an acknowledged write. */
  violations: string[];
  isStopping: boolean;
}

/**
 * Sends a request to a random target and counts the outcome.
 * @param expected status that counts as a success besides 2xx: a repeated deletion is 404, and a revoked right 403
 */
export async function sendOnce(state: LoadState, kind: string, request: Request, expected = 200): Promise<Response> {
  const { urls, targets } = state.instances;
  const index = [...targets][Math.floor(Math.random() * targets.size)] ?? 0;
  const startedAt = performance.now();
  const response = await send(urls[index] ?? '', request);
  state.attempts.add(`${kind} on instance ${index + 1}`, response.status === expected ? 'success' : response.outcome, startedAt);
  return response;
}

/** A request that succeeds neither with the recovery of the service nor with repetition. It is longer than the longest recovery. */
const longestMs = 120_000;

/** Whether repeating the request cannot help: the record is missing, or the write conflicts with another one. */
const isPermanent = ({ outcome, status }: Response): boolean =>
  [404, 409, 422].includes(status) && outcome !== '409 IDEMPOTENCY_KEY_IN_PROGRESS';

/**
 * Sends a request to random instances until it succeeds, as a client does that needs the result.
 * @throws Error if it has no success in time, or cannot have one
 */
export async function sendUntilSuccess(state: LoadState, kind: string, request: Request): Promise<Response> {
  const expected = request.method === 'DELETE' ? 404 : 200;
  for (const startedAt = performance.now(); ;) {
    const response = await sendOnce(state, kind, request, expected);
    if (response.outcome === 'success' || response.status === expected) return response;
    if (isPermanent(response) || performance.now() - startedAt > longestMs)
      throw new Error(`${request.method} ${request.path} cannot succeed: ${response.outcome}`);
    await pause(20 + Math.random() * 180);
  }
}

/** Sends a write until it is acknowledged, and remembers it. @param recordId the changed record; default: the one in the response */
export async function write(state: LoadState, kind: string, request: Request, event: string, recordId?: string): Promise<string> {
  const { status, body } = await sendUntilSuccess(state, kind, request);
  const id = recordId ?? (JSON.parse(body.toString()) as { id: string }).id;
  state.acknowledged.push({ request, event, recordId: id, status, body });
  return id;
}
