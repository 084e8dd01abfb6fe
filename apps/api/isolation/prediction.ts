import { isDeepStrictEqual } from 'node:util';
import type { Model } from './model.ts';
import { permits } from './oracle/permission.ts';
import { serviceStanding, type Standing, userStanding } from './oracle/standing.ts';
import { isRefusal, type Outcome, refuse } from './endpoints/driver.ts';
import type { Answer, Question } from './wire.ts';

/** Something that is not as the specification says. */
export class Contradiction extends Error {
  /** The endpoint that was asked, or what was looked at. */
  readonly subject: string;

  constructor(subject: string, what: string, wanted: unknown, got: unknown) {
    super(`${subject} ${what}\n  must be ${JSON.stringify(wanted)}\n  but is  ${JSON.stringify(got)}`);
    this.name = 'Contradiction';
    this.subject = subject;
  }
}

/** A question that was not answered as it must be. */
export const wrongAnswer = ({ endpoint, caller, header, input }: Question, wanted: unknown, got: unknown): Contradiction =>
  new Contradiction(endpoint.name, `${JSON.stringify(input)} by ${caller.name} with X-Tenant-Id ${header ?? '(none)'}`, wanted, got);

/** A value that no field of a path or page takes. */
export const malformed = 'not-what-it-should-be';

export const standingOf = (model: Model, { endpoint, caller, header }: Omit<Question, 'input'>): Standing | string =>
  endpoint.rule.family === 'service' ? serviceStanding(model, caller.token) : userStanding(model, caller.token, header);

/** What the specification says the answer is, in its order: who, may they, is it well-formed, the rest. */
export function predict(model: Model, question: Question): Outcome {
  const { endpoint, input } = question;
  const who = standingOf(model, question);
  if (typeof who === 'string') return refuse(who);
  if (endpoint.rule.family === 'user' && who.refusal !== null) return refuse(who.refusal);
  const permitted = endpoint.rule.family === 'user' ? permits(who, endpoint.rule) : 'yes';
  if (permitted === 'no') return refuse('NOT_ALLOWED');
  if (Object.values(input).includes(malformed)) return refuse('VALIDATION_FAILED');
  if (permitted === 'own tenant' && (input['tenantId'] ?? input['id']) !== who.tenant?.id) return refuse('TENANT_NOT_FOUND');
  return endpoint.driver.outcome({ model, who, input });
}

/** Throws a Contradiction unless the answer is as predicted. */
export function hold(question: Question, outcome: Outcome, { problem, body }: Answer): void {
  if (isRefusal(outcome)) {
    if (!problem || !outcome.codes.includes(problem.code)) throw wrongAnswer(question, outcome.codes.join(' or '), problem ?? body);
    return;
  }
  if (problem) throw wrongAnswer(question, 'a success', problem);
  const [wanted, got] = [canonical(outcome.body(record(body))), canonical(body)];
  if (!isDeepStrictEqual(wanted, got)) throw wrongAnswer(question, wanted, got);
}

export const record = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};

/** Lists whose order means nothing. */
const sets = ['permissions', 'scopes', 'allowedOrganizationIds', 'organizationIds'];

/** The body with each list in some fixed order, where the specification gives none. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const paged = 'total' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => {
      const inner = canonical(item);
      const isSet = Array.isArray(inner) && (sets.includes(name) || (name === 'data' && !paged));
      return [name, isSet ? inner.map((each) => JSON.stringify(each)).toSorted() : inner];
    }),
  );
}
