import { sql } from 'kysely';
import type { Actor } from './journal/record-write.ts';
import type { UnscopedDatabase } from './queries/unscoped-database.ts';
import { queries } from './sql/compile.ts';
import type { Placeholders } from './sql/placeholders.ts';
import { Statement } from './queries/statement.ts';

/** An idempotency key with the request that it came with. */
export interface KeyedRequest {
  actor: Extract<Actor, { id: string }>;
  key: string;
  /** SHA-256 of what the request asks for. */
  fingerprint: Buffer;
  /** Id of a claim that outlives its transaction; null if the request is one transaction. */
  claimId: string | null;
}

/** The response that is stored under a key. */
export interface StoredResponse {
  status: number;
  etag: string | null;
  body: unknown;
}

/**
 * What claiming a key has found:
 * - CLAIMED: the request may run.
 * - REPLAYED: an equal request has run, with this response.
 * - IN_PROGRESS: an equal request is running.
 * - REUSED: the key came with another request.
 */
export type Claim = { outcome: 'CLAIMED' | 'IN_PROGRESS' | 'REUSED' } | ({ outcome: 'REPLAYED' } & StoredResponse);

/** How long a claim lasts after it was made or renewed, in seconds. */
export const claimSeconds = 20;
const lease = `${claimSeconds} seconds`;

interface ClaimParameters {
  kind: string;
  id: string;
  key: string;
  claimId: string;
}

interface Parameters {
  kind: string;
  id: string;
  key: string;
  fingerprint: Buffer;
  claimId: string | null;
}
const parametersOf = ({ actor: { kind, id }, key, fingerprint, claimId }: KeyedRequest): Parameters => ({
  kind,
  id,
  key,
  fingerprint,
  claimId,
});

const claimKey = new Statement<'unscoped', Parameters & { lease: string }, Claim>((p: Placeholders<Parameters & { lease: string }>) =>
  queries
    .selectFrom(
      sql<Claim>`claim_idempotency_key(${p.kind}, ${p.id}, ${p.key}, ${p.fingerprint}, ${p.claimId}, ${p.lease})`.as<'claim'>(sql`claim`),
    )
    .selectAll(),
);
const storeResponse = new Statement<'unscoped', Parameters & StoredResponse & { body: string }, { isStored: boolean }>(
  (p: Placeholders<Parameters & StoredResponse & { body: string }>) =>
    queries.selectNoFrom(
      sql<boolean>`store_idempotent_response(
        ${p.kind}, ${p.id}, ${p.key}, ${p.fingerprint}, ${p.claimId}, ${p.status}::smallint, ${p.etag}, ${p.body}
      )`.as('isStored'),
    ),
);
const renewClaim = new Statement<'unscoped', ClaimParameters & { lease: string }, unknown>(
  (p: Placeholders<ClaimParameters & { lease: string }>) =>
    queries
      .updateTable('idempotencyKeys')
      .set({ claimedUntil: sql<string>`clock_timestamp() + ${p.lease}::interval` })
      .where('actorKind', '=', p.kind)
      .where('actorId', '=', p.id)
      .where('key', '=', p.key)
      .where('claimId', '=', p.claimId),
);
const releaseClaim = new Statement<'unscoped', ClaimParameters, unknown>((p: Placeholders<ClaimParameters>) =>
  queries
    .deleteFrom('idempotencyKeys')
    .where('actorKind', '=', p.kind)
    .where('actorId', '=', p.id)
    .where('key', '=', p.key)
    .where('claimId', '=', p.claimId),
);
/** Rows that other transactions have locked are left for the next run. */
const deleteExpired = new Statement<'unscoped', { batchSize: number }, { count: number }>((p: Placeholders<{ batchSize: number }>) =>
  queries
    .with('deleted', (query) =>
      query
        .deleteFrom('idempotencyKeys')
        .where(
          sql<boolean>`ctid = any(array(
            select ctid from idempotency_keys where expires_at < now() order by expires_at limit ${p.batchSize}::int for update skip locked
          ))`,
        )
        .returning(sql<number>`1`.as('one')),
    )
    .selectFrom('deleted')
    .select((eb) => eb.fn.countAll<number>().as('count')),
);

/** Claims the key of a request in a transaction. Without a claim id, the claim ends with the transaction. */
export const claimIdempotencyKey = (db: UnscopedDatabase, request: KeyedRequest): Promise<Claim> =>
  db.one(claimKey, { ...parametersOf(request), lease });

/** Stores the response in the transaction of the change. Returns false if the claim has expired and another request has taken it. */
export async function storeIdempotentResponse(db: UnscopedDatabase, request: KeyedRequest, response: StoredResponse): Promise<boolean> {
  const { isStored } = await db.one(storeResponse, { ...parametersOf(request), ...response, body: JSON.stringify(response.body) });
  return isStored;
}

/** A request with a claim that outlives its transaction. */
export type ClaimedRequest = KeyedRequest & { claimId: string };

/** Extends a claim to `claimSeconds` from now. Does nothing if another request has taken it. */
export const renewIdempotencyClaim = (db: UnscopedDatabase, { actor: { kind, id }, key, claimId }: ClaimedRequest): Promise<void> =>
  db.run(renewClaim, { kind, id, key, claimId, lease });

/** Frees the key of a request that has failed. */
export const releaseIdempotencyKey = (db: UnscopedDatabase, { actor: { kind, id }, key, claimId }: ClaimedRequest): Promise<void> =>
  db.run(releaseClaim, { kind, id, key, claimId });

/** Deletes the keys that have expired, in batches, so that no statement reaches its time limit. */
export async function deleteExpiredIdempotencyKeys(
  db: UnscopedDatabase,
  { batchSize = 10_000, signal }: { batchSize?: number; signal?: AbortSignal } = {},
): Promise<void> {
  let deleted = batchSize;
  while (deleted >= batchSize) {
    signal?.throwIfAborted();
    ({ count: deleted } = await db.one(deleteExpired, { batchSize }));
  }
}
