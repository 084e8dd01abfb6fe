import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { secretsFrom, findLeaks } from './leaks.ts';
import type { Model } from '../test/oracle/model.ts';
import { checkResponse, predict, record, callerOf, unexpectedResponse } from './prediction.ts';
import { type Input, isRefusal, type Outcome } from './endpoints/driver.ts';
import type { Counters } from './counters.ts';
import { type Answer, type Call, rest, stream, type Transport, trpc } from './http.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Codes for an unknown caller, whatever they call. */
const unknown = new Set(['UNAUTHORIZED', 'USER_NOT_PROVISIONED', 'CLIENT_NOT_LINKED']);

/** A client that compares every response with the oracle's prediction. */
export class CheckedClient {
  readonly #port: number;
  readonly #model: Model;
  readonly #counters: Counters;

  constructor(port: number, model: Model, counters: Counters) {
    this.#port = port;
    this.#model = model;
    this.#counters = counters;
  }

  /** Makes a call that may change something, and changes the model in the same way. Returns the code of the response, or `success`. */
  async send(call: Call, transport: Transport): Promise<string> {
    const outcome = predict(this.#model, call);
    return this.#check(call, outcome, await this.#request(call, transport, outcome));
  }

  /** Makes calls of one caller that change nothing, all at the same time; over tRPC as one batch. */
  async sendAll(calls: readonly Call[], transport: Transport): Promise<void> {
    const reads = calls.filter(({ endpoint }) => transport === 'trpc' && endpoint.method === 'GET' && endpoint.file === null);
    const others = calls.filter((call) => !reads.includes(call));
    const outcomes = new Map(calls.map((call) => [call, predict(this.#model, call)]));
    const [batched, single] = await Promise.all([
      reads.length > 0 ? trpc(this.#port, reads) : [],
      Promise.all(others.map((call) => this.#request(call, transport, outcomes.get(call) as Outcome))),
    ]);
    for (const [index, call] of [...reads, ...others].entries())
      this.#check(call, outcomes.get(call) as Outcome, [...batched, ...single][index] as Answer);
    await this.#compareWithAbsent([...reads, ...others], [...batched, ...single], transport);
  }

  async #request(call: Call, transport: Transport, outcome: Outcome): Promise<Answer> {
    if (call.endpoint.file === 'stream')
      return stream(this.#port, call, transport, isRefusal(outcome) ? Infinity : (outcome.streamed ?? 0));
    if (transport === 'rest' || call.endpoint.file !== null) return rest(this.#port, call);
    const [answer] = await trpc(this.#port, [call]);
    return answer as Answer;
  }

  #check(call: Call, outcome: Outcome, answer: Answer): string {
    const how = answer.problem?.code ?? 'success';
    this.#counters.count(call.endpoint.name, how);
    checkResponse(call, outcome, answer);
    const leaked = new Set(findLeaks(this.#secrets(call), call, answer.text));
    if (!isRefusal(outcome) && outcome.change) {
      outcome.change(record(answer.body));
      // The response may show what this change has brought into the scope, or removed from it.
      const still = new Set(findLeaks(this.#secrets(call), call, answer.text));
      for (const word of leaked) if (!still.has(word)) leaked.delete(word);
    }
    if (leaked.size > 0) throw unexpectedResponse(call, 'without anything outside the scope', [...leaked]);
    return how;
  }

  #secrets(call: Call) {
    return secretsFrom(this.#model, callerOf(this.#model, call), call);
  }

  /** Checks that the service refuses ids of other tenants in the same words as ids that do not exist. */
  async #compareWithAbsent(calls: readonly Call[], answers: readonly Answer[], transport: Transport): Promise<void> {
    const pairs = calls.flatMap((call, index) => {
      const answer = answers[index] as Answer;
      const variant = answer.problem && !unknown.has(answer.problem.code) ? this.#absentVariantOf(call) : undefined;
      if (!variant) return [];
      const outcome = predict(this.#model, variant);
      const alike = isRefusal(outcome) && isDeepStrictEqual(outcome.codes, [answer.problem?.code]);
      return alike ? [{ variant, outcome, answer }] : [];
    });
    const variants = await Promise.all(pairs.map(({ variant, outcome }) => this.#request(variant, transport, outcome)));
    for (const [index, { variant, answer }] of pairs.entries())
      if (!isDeepStrictEqual(variants[index]?.problem, answer.problem))
        throw unexpectedResponse(variant, answer.problem, variants[index]?.problem);
  }

  /** The same call with ids that do not exist; undefined if the call names no existing record. */
  #absentVariantOf(call: Call): Call | undefined {
    const names = (value: unknown) => Object.values(this.#model).some((table: Model[keyof Model]) => table.has(value as never));
    const other = (value: unknown) => (typeof value === 'string' && uuid.test(value) && names(value) ? randomUUID() : value);
    const input: Input = Object.fromEntries(Object.entries(call.input).map(([name, value]) => [name, other(value)]));
    const header = other(call.header) as string | undefined;
    const differs = header !== call.header || !isDeepStrictEqual(input, call.input);
    return differs ? { ...call, input, header } : undefined;
  }
}
