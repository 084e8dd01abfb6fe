import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { secretsFrom, told } from './leaks.ts';
import type { Model } from './model.ts';
import { hold, predict, record, standingOf, wrongAnswer } from './prediction.ts';
import { type Input, isRefusal, type Outcome } from './endpoints/driver.ts';
import type { Tally } from './tally.ts';
import { type Answer, type Question, rest, trpc } from './wire.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whoever is nobody is told so, whatever they ask. */
const unknown = new Set(['UNAUTHORIZED', 'USER_NOT_PROVISIONED', 'CLIENT_NOT_LINKED']);

export type Face = 'rest' | 'trpc';

/** Asks, and holds every answer against the oracle. */
export class Examiner {
  readonly #port: number;
  readonly #model: Model;
  readonly #tally: Tally;

  constructor(port: number, model: Model, tally: Tally) {
    this.#port = port;
    this.#model = model;
    this.#tally = tally;
  }

  /** Asks what may change something, and changes the model accordingly. Says how it was answered. */
  async ask(question: Question, face: Face): Promise<string> {
    const outcome = predict(this.#model, question);
    const [answer] = face === 'trpc' ? await trpc(this.#port, [question]) : [await rest(this.#port, question)];
    return this.#judge(question, outcome, answer as Answer);
  }

  /** Asks what changes nothing, all of it at once; by one caller. Over tRPC in one batch. */
  async askAll(questions: readonly Question[], face: Face): Promise<void> {
    const reads = questions.filter(({ endpoint }) => face === 'trpc' && endpoint.method === 'GET' && endpoint.file === null);
    const others = questions.filter((question) => !reads.includes(question));
    const outcomes = new Map(questions.map((question) => [question, predict(this.#model, question)]));
    const [batched, single] = await Promise.all([
      reads.length > 0 ? trpc(this.#port, reads) : [],
      Promise.all(others.map((question) => this.#send(question, face))),
    ]);
    for (const [index, question] of [...reads, ...others].entries())
      this.#judge(question, outcomes.get(question) as Outcome, [...batched, ...single][index] as Answer);
    await this.#askTwins([...reads, ...others], [...batched, ...single], face);
  }

  async #send(question: Question, face: Face): Promise<Answer> {
    if (face === 'rest' || question.endpoint.file !== null) return rest(this.#port, question);
    const [answer] = await trpc(this.#port, [question]);
    return answer as Answer;
  }

  #judge(question: Question, outcome: Outcome, answer: Answer): string {
    const how = answer.problem?.code ?? 'success';
    this.#tally.count(question.endpoint.name, how);
    hold(question, outcome, answer);
    const leaked = new Set(told(this.#secrets(question), question, answer.text));
    if (!isRefusal(outcome) && outcome.change) {
      outcome.change(record(answer.body));
      // What the change has brought into sight, or taken out of it, was seen rightly.
      const still = new Set(told(this.#secrets(question), question, answer.text));
      for (const word of leaked) if (!still.has(word)) leaked.delete(word);
    }
    if (leaked.size > 0) throw wrongAnswer(question, 'without a word of what is not in sight', [...leaked]);
    return how;
  }

  #secrets(question: Question) {
    return secretsFrom(this.#model, standingOf(this.#model, question), question);
  }

  /** What exists elsewhere and what does not exist at all are refused in the same words. */
  async #askTwins(questions: readonly Question[], answers: readonly Answer[], face: Face): Promise<void> {
    const pairs = questions.flatMap((question, index) => {
      const answer = answers[index] as Answer;
      const twin = answer.problem && !unknown.has(answer.problem.code) ? this.#twinOf(question) : undefined;
      if (!twin) return [];
      const outcome = predict(this.#model, twin);
      const alike = isRefusal(outcome) && isDeepStrictEqual(outcome.codes, [answer.problem?.code]);
      return alike ? [{ twin, answer }] : [];
    });
    const twins = await Promise.all(pairs.map(({ twin }) => this.#send(twin, face)));
    for (const [index, { twin, answer }] of pairs.entries())
      if (!isDeepStrictEqual(twins[index]?.problem, answer.problem)) throw wrongAnswer(twin, answer.problem, twins[index]?.problem);
  }

  /** The same question about what does not exist; undefined where it names nothing that does. */
  #twinOf(question: Question): Question | undefined {
    const names = (value: unknown) => Object.values(this.#model).some((table: Model[keyof Model]) => table.has(value as never));
    const other = (value: unknown) => (typeof value === 'string' && uuid.test(value) && names(value) ? randomUUID() : value);
    const input: Input = Object.fromEntries(Object.entries(question.input).map(([name, value]) => [name, other(value)]));
    const header = other(question.header) as string | undefined;
    const differs = header !== question.header || !isDeepStrictEqual(input, question.input);
    return differs ? { ...question, input, header } : undefined;
  }
}
