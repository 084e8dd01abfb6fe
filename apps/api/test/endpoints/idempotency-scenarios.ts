import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Attempt } from './send.ts';
import { rest } from './send.ts';
import type { Endpoint } from '@profile-service/contracts';
import { createApi } from '../support/api.ts';
import { fileFor } from '../support/files.ts';
import type { World } from '../support/world.ts';

/** The call with a key that came with another request of the same caller. */
export async function withReusedKey(call: Attempt, isService: boolean, organizationId: () => Promise<string>): Promise<Attempt> {
  const idempotencyKey = randomUUID();
  const [target, body] = isService
    ? [`POST /service/organizations/${await organizationId()}/tenants`, undefined]
    : ['POST /api/apps', { name: idempotencyKey }];
  await createApi(call.url).call(call.actor, target, body, { 'idempotency-key': idempotencyKey });
  return { ...call, idempotencyKey };
}

/** The call with the key of an equal request that waits for a lock until `finish`. */
export async function whileRunning(world: World, call: Attempt, name: string, endpoint: Endpoint): Promise<Attempt> {
  const rival = new pg.Client({ connectionString: world.databaseUrl });
  await rival.connect();
  await rival.query('begin');
  // The last table that a write changes, the first one that a repeated link locks, and the one that a change without an event reads.
  await rival.query('lock table journal, organizations, imports in exclusive mode; lock table webhooks in access exclusive mode');
  const keyed = { ...call, idempotencyKey: randomUUID(), file: fileFor(endpoint.path) };
  const first = rest(keyed, name, endpoint);
  const waiting =
    "select 1 from pg_locks where not granted and relation = any(array['journal', 'organizations', 'imports', 'webhooks']::regclass[])";
  while ((await rival.query(waiting)).rows.length === 0) await pause(5);
  return {
    ...keyed,
    async finish() {
      await rival.query('rollback');
      await rival.end();
      await first;
    },
  };
}
