import { type Authenticator, type Caller, may } from '@profile-service/auth';
import { type NamedEndpoint, ProblemError, type Endpoint } from '@profile-service/contracts';
import { type Database, withoutScopedTables, scoped } from '@profile-service/db';
import { callerKey, tenantKey } from '../limits/keys.ts';
import type { RateLimits, ShowRateLimit } from '../limits/rate-limits.ts';
import type { ConcurrencyLimits } from '../limits/concurrency-limits.ts';
import { type Download, noFile, type Take, withFiles } from './files.ts';
import type { AnyHandler, Services, Transaction } from './implement.ts';
import { compileInput, type Input, type RawInput } from './input.ts';
import { problemOf } from './problem.ts';
import type { Transactions } from './transactions.ts';

/** One request, as either face hands it over. */
export interface Call {
  authorization: string | undefined;
  /** X-Tenant-Id */
  tenant: string | undefined;
  /** Reads path, query and body: only after the caller has proved that they may ask. @param take for the file of an upload */
  input(take: Take): Promise<RawInput>;
  /** Sends the file that a download gives; absent where the face has no files. */
  send?(file: Download): Promise<void>;
  /** Told who calls, for the log. */
  onCaller(caller: Caller): void;
  /** Told how the caller stands with a limit, for the headers. */
  onStanding: ShowRateLimit;
  /** Told when its turn with the database has come; may throw a ProblemError, and then nothing is done. */
  onTurn?: (() => void) | undefined;
}

export interface Operation extends NamedEndpoint {
  /** Runs the row for one call: gives the encoded output, or throws a ProblemError with a code that the row declares. */
  run(call: Call): Promise<unknown>;
}

export interface OperationDependencies {
  authenticator: Authenticator;
  database: Database;
  transactions: Transactions;
  services: Services;
  limits: RateLimits;
  concurrency: ConcurrencyLimits;
  /** Told of each run, for the metrics. */
  onDone(operation: string, status: number, seconds: number): void;
}

/** Makes the plain function that both faces call: authenticate → count → authorize → read the input → handler → encode. */
export function createOperation({ name, endpoint }: NamedEndpoint, handler: AnyHandler, deps: OperationDependencies): Operation {
  const parse = compileInput(endpoint);
  const handle = handler as (context: object) => Promise<unknown>;
  const isRead = endpoint.method === 'GET';

  async function run(call: Call): Promise<unknown> {
    const caller = await authenticate(endpoint, call, deps.authenticator);
    call.onCaller(caller);
    await deps.limits.caller?.(callerKey(caller), call.onStanding);
    deps.concurrency.outboundBuffer.assertBelowLimit(tenantKey(caller));
    authorize(caller, endpoint);
    if (endpoint.reachesIdentityProvider) await deps.limits.identity?.(callerKey(caller), call.onStanding);
    const rest = (take: Take) => perform(call, caller, take);
    if (endpoint.media === 'download') return deps.concurrency.downloads.run(tenantKey(caller), () => rest(noFile));
    if (endpoint.media !== 'upload') return rest(noFile);
    return deps.concurrency.uploads.run(tenantKey(caller), () => withFiles(handler.receive, deps.services, rest));
  }

  async function perform(call: Call, before: Caller, take: Take): Promise<unknown> {
    const raw = await call.input(take);
    // A body may come in slowly, and a download wait for its turn: what was taken from whoever asked meanwhile counts.
    const caller = endpoint.body || endpoint.media === 'download' ? await authenticate(endpoint, call, deps.authenticator) : before;
    const ownTenant = authorize(caller, endpoint);
    const input = parse(raw);
    if (raw.file) input['file'] = raw.file;
    refuseOtherTenant(ownTenant, input);

    const { database, transactions, services } = deps;
    const context = { ...services, input };
    const inTurn = <T>(work: (caller: Caller) => Promise<T>) => takeTurn(call, caller, input, work);
    const transactionOf = (who: Caller) => transactions.within(who.organizationScope);
    const reading = (who: Caller) => {
      const db = withoutScopedTables(database.db);
      return { ...context, caller: who, db, scoped: scoped(db, who.organizationScope) };
    };
    if (handler.ownsTransaction) {
      // What it waits for outside the database must not hold a place there.
      const transaction = <T>(work: (unit: Transaction) => Promise<T>) => inTurn((who) => transactionOf(who)(work));
      return encode(call, await handle({ ...reading(caller), transaction }));
    }
    if (isRead) return encode(call, await inTurn((who) => handle({ ...reading(who), transaction: transactionOf(who) })));
    return encode(call, await inTurn((who) => transactionOf(who)((unit) => handle({ ...context, caller: who, ...unit }))));
  }

  /** Does what works with the database when it is the turn of the caller's tenant, as who they are by then. */
  function takeTurn<T>(call: Call, caller: Caller, input: Input, work: (caller: Caller) => Promise<T>): Promise<T> {
    const { database, outboundBuffer } = deps.concurrency;
    const holder = tenantKey(caller);
    return database.run(holder, async (hasWaited) => {
      // While it waited the others may have left too much unread.
      outboundBuffer.assertBelowLimit(holder);
      call.onTurn?.();
      if (!hasWaited) return work(caller);
      const now = await authenticate(endpoint, call, deps.authenticator);
      refuseOtherTenant(authorize(now, endpoint), input);
      return work(now);
    });
  }

  async function encode(call: Call, returned: unknown): Promise<unknown> {
    if (endpoint.media === 'download') return call.send?.(returned as Download);
    return endpoint.output?.parse(returned);
  }

  return {
    name,
    endpoint,
    async run(call) {
      const startedAt = performance.now();
      let status: number = endpoint.success;
      try {
        return await run(call);
      } catch (error) {
        const problem = problemOf(error, endpoint);
        status = problem.status;
        throw problem;
      } finally {
        deps.onDone(name, status, (performance.now() - startedAt) / 1000);
      }
    },
  };
}

function authenticate(endpoint: Endpoint, call: Call, authenticator: Authenticator): Promise<Caller> {
  return endpoint.access.kind === 'service'
    ? authenticator.service(call.authorization)
    : authenticator.user(call.authorization, call.tenant);
}

/** The input field that must be the caller's active tenant. */
interface OwnTenant {
  field: string;
  tenantId: string;
}

function refuseOtherTenant(ownTenant: OwnTenant | null, input: Input): void {
  if (ownTenant && input[ownTenant.field] !== ownTenant.tenantId) throw new ProblemError('TENANT_NOT_FOUND');
}

/** Throws the 403 of a caller who may not call the row; says which input field must be their active tenant, if one must. */
function authorize(caller: Caller, { access }: Endpoint): OwnTenant | null {
  if (caller.kind !== 'user' || access.kind !== 'user') return null;
  if (caller.refusal) throw new ProblemError(caller.refusal);
  const decision = may(caller, access);
  if (decision === 'denied') throw new ProblemError('NOT_ALLOWED');
  return decision === 'own-tenant' && access.ownTenant && caller.tenant ? { field: access.ownTenant, tenantId: caller.tenant.id } : null;
}
