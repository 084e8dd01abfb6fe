import type pg from 'pg';
import type { Server } from '../../servers/server.ts';
import { headersAndBody, type HttpRequest } from '../../work/encode.ts';
import type { World } from '../../work/world.ts';

/** What is measured: a service, its data, and a connection to its database. */
export interface Subject {
  world: World;
  server: Server;
  database: pg.Client;
}

/** Sends a request. Throws unless the response is a success. */
export async function send<Body>({ server }: Subject, request: HttpRequest): Promise<Body> {
  const { headers, content } = headersAndBody(request);
  const { host: _host, 'content-length': _length, ...sent } = headers as Record<string, string>;
  const response = await fetch(`http://127.0.0.1:${server.port}${request.path}`, {
    method: request.method,
    headers: sent,
    ...(content.length > 0 && { body: new Uint8Array(content) }),
  });
  if (!response.ok) throw new Error(`${request.method} ${request.path}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

/** The columns of an event that a copy of it shares. */
const copied = 'occurred_at, actor_kind, operation, record_type, former, state, epoch';

/**
 * Adds copies of the last event of an organization, each of another record.
 * @param owner the tenant and the organization of the copies; others of nobody by default
 */
export async function addEvents({ database }: Subject, count: number, owner?: { tenantId: string; organizationId: string }): Promise<void> {
  await database.query(
    `insert into journal (id, record_id, tenant_id, organization_id, transaction_id, sequence, ${copied})
     select gen_random_uuid(), gen_random_uuid()::text, coalesce($2::uuid, gen_random_uuid()), coalesce($3::uuid, gen_random_uuid()), pg_current_xact_id(),
       nextval('journal_sequence'), ${copied}
     from (select * from journal where transaction_id is not null and record_type = 'organization' order by occurred_at desc limit 1) as latest,
       generate_series(1, $1)`,
    [count, owner?.tenantId ?? null, owner?.organizationId ?? null],
  );
}
