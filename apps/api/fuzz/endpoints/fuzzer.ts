import { endpoints } from '@profile-service/contracts';
import fc from 'fast-check';
import type { World } from '../world/world.ts';
import { curlOf } from './curl.ts';
import { findFault } from './check-response.ts';
import { kindOfEndpoint, Known } from './known.ts';
import { requestsOf } from './requests.ts';
import type { Sent } from './sent.ts';
import { Statistics } from './statistics.ts';
import { type Answer, send } from './http.ts';

/** Longest search for a smaller request. */
const shrinkingMs = 30_000;

/** Sends random requests to the endpoints of a world and checks every response. */
export class Fuzzer {
  readonly statistics = new Statistics();
  /** Endpoint → its smallest request that failed. */
  readonly failures = new Map<string, { fault: string; seed: number; details: string }>();
  readonly #known = new Known();
  readonly #world: World;
  readonly #arbitraries: ReadonlyMap<string, fc.Arbitrary<Sent>>;

  /** Throws for an endpoint whose requests cannot be generated. */
  constructor(world: World) {
    this.#world = world;
    this.#arbitraries = new Map(endpoints.map((named) => [named.name, requestsOf(named, world.callers, this.#known)]));
  }

  /** Sends requests to one endpoint until one fails. @param requests the limit */
  async fuzz(name: string, requests: number, seed: number): Promise<void> {
    const arbitrary = this.#arbitraries.get(name);
    if (!arbitrary) throw new Error(`The contract has no endpoint ${name}`);
    let failedAt = Infinity;
    const property = fc.asyncProperty(arbitrary, async (sent) => {
      if (performance.now() - failedAt > shrinkingMs) return;
      const fault = await this.#send(sent);
      if (fault === undefined) return;
      failedAt = Math.min(failedAt, performance.now());
      throw new Error(fault);
    });
    const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns: requests, seed });
    if (!failed) return;
    const [sent] = counterexample ?? [];
    const fault = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    const details = `${name}, seed ${seed}: ${fault}\n${sent ? curlOf(this.#world.url, sent) : ''}`;
    this.failures.set(name, { fault: fault.split('\n')[0]?.slice(0, 300) ?? '', seed, details });
  }

  async #send(sent: Sent): Promise<string | undefined> {
    try {
      const answer = await send(this.#world.url, sent);
      this.statistics.count(sent, answer.status);
      this.#learn(sent, answer);
      return findFault(sent, answer);
    } catch (error) {
      this.statistics.count(sent, 0);
      return String(error);
    }
  }

  /** Remembers the records of a response. Forgets a record after its deletion, and after a 404 for the Global user. */
  #learn({ named: { name, endpoint }, transport, caller, target }: Sent, { status, body }: Answer): void {
    const kind = kindOfEndpoint(name);
    const isGone = status === 404 ? caller.name === 'global' : endpoint.method === 'DELETE' && status < 300;
    if (isGone && endpoint.path.endsWith('}')) this.#known.forget(kind, target.split('/').at(-1) ?? '');
    else if (status < 300) this.#known.learn(kind, transport === 'REST' ? body : dataOf(body));
  }
}

const dataOf = (body: unknown): unknown => (body as { result?: { data?: unknown } }).result?.data;
