import { isDeepStrictEqual } from 'node:util';
import type { Model } from '../test/oracle/model.ts';
import type { ResolvedCaller } from '../test/oracle/caller.ts';
import { authorize, resolveCaller } from '../test/oracle/guard.ts';
import { type Input, isRefusal, type Outcome, refuse } from './endpoints/driver.ts';
import type { DrivenEndpoint } from './endpoints/index.ts';
import type { Answer, Call } from './http.ts';

/** A response, or content of the database, that contradicts the specification. */
export class Contradiction extends Error {
  /** The name of the endpoint, or of the table. */
  readonly subject: string;

  constructor(subject: string, what: string, wanted: unknown, got: unknown) {
    super(`${subject} ${what}\n  must be ${JSON.stringify(wanted)}\n  but is  ${JSON.stringify(got)}`);
    this.name = 'Contradiction';
    this.subject = subject;
  }
}

/** The contradiction of a call whose response is not the predicted one. */
export const unexpectedResponse = ({ endpoint, caller, header, input }: Call, wanted: unknown, got: unknown): Contradiction =>
  new Contradiction(endpoint.name, `${JSON.stringify(input)} by ${caller.name} with X-Tenant-Id ${header ?? '(none)'}`, wanted, got);

/** A value that no path parameter and no paging parameter accepts. */
export const malformed = 'not-what-it-should-be';

/** The caller as the oracle resolves them. The error code if the service does not know the caller. */
export const callerOf = (model: Model, { endpoint, caller, header }: Omit<Call, 'input'>): ResolvedCaller | string =>
  resolveCaller(model, endpoint.rule, caller.token, header);

/** The response by the specification, in its order of checks: caller, permission, input, data. */
export function predict(model: Model, call: Call): Outcome {
  return predictFor(model, callerOf(model, call), call);
}

/** The response to this caller. */
export function predictFor(
  model: Model,
  who: ResolvedCaller | string,
  { endpoint, input }: { endpoint: DrivenEndpoint; input: Input },
): Outcome {
  const decision = authorize(who, endpoint.rule);
  if (typeof who === 'string') return refuse(who);
  if ('refused' in decision) return refuse(decision.refused);
  if (Object.values(input).includes(malformed)) return refuse('VALIDATION_FAILED');
  if (decision.allowed === 'own tenant' && (input['tenantId'] ?? input['id']) !== who.tenant?.id) return refuse('TENANT_NOT_FOUND');
  return endpoint.driver.outcome({ model, who, input });
}

/** Throws a Contradiction unless the response is the predicted one. */
export function checkResponse(call: Call, outcome: Outcome, { problem, body }: Answer): void {
  if (isRefusal(outcome)) {
    if (!problem || !outcome.codes.includes(problem.code)) throw unexpectedResponse(call, outcome.codes.join(' or '), problem ?? body);
    return;
  }
  if (problem) throw unexpectedResponse(call, 'a success', problem);
  const [wanted, got] = [canonical(outcome.body(record(body))), canonical(body)];
  if (!isDeepStrictEqual(wanted, got)) throw unexpectedResponse(call, wanted, got);
}

export const record = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};

/** Lists without an order. So is `data` of a list without pages. */
const sets = ['permissions', 'scopes', 'allowedOrganizationIds', 'organizationIds'];

/** The body with each unordered list sorted. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const paged = 'total' in value || 'nextCursor' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => {
      const inner = canonical(item);
      const isSet = Array.isArray(inner) && (sets.includes(name) || (name === 'data' && !paged));
      return [name, isSet ? inner.map((each) => JSON.stringify(each)).toSorted() : inner];
    }),
  );
}
