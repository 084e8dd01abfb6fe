import type { IncomingMessage } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';
import { sql } from './statements.ts';
import { type Caller, problem } from './types.ts';

const { DATABASE_URL = '', IDENTITY_REALM_URL = '', IDENTITY_AUDIENCE = '' } = process.env;

const cacheMs = 300_000;
const keys = createRemoteJWKSet(new URL(`${IDENTITY_REALM_URL}/protocol/openid-connect/certs`));
const tokens = new Map<string, { sub: string; azp: string; until: number }>();
/** Callers by subject, then by client, tenant and kind. */
const callers = new Map<string, Map<string, { caller: Caller; until: number }>>();

/** Returns the caller, without a promise if token and caller are cached. */
export function authenticate({ headers, url = '' }: IncomingMessage): Caller | Promise<Caller> {
  const token = headers.authorization?.slice('Bearer '.length) ?? '';
  const [context, isService] = [String(headers['x-tenant-id'] ?? ''), url.startsWith('/service/')];
  const known = tokens.get(token);
  if (known && Date.now() < known.until) return cachedCaller(known, context, isService);
  return jwtVerify(token, keys, { issuer: IDENTITY_REALM_URL, audience: IDENTITY_AUDIENCE }).then(
    ({ payload: { sub = '', azp, exp = 0 } }) => {
      const claims = { sub, azp: String(azp), until: exp * 1000 };
      tokens.set(token, claims);
      return cachedCaller(claims, context, isService);
    },
    () => Promise.reject(problem(401, 'UNAUTHORIZED')),
  );
}

function cachedCaller({ sub, azp }: { sub: string; azp: string }, tenant: string, isService: boolean): Caller | Promise<Caller> {
  const key = `${azp} ${tenant} ${isService}`;
  const known = callers.get(sub)?.get(key);
  if (known && Date.now() < known.until) return known.caller;
  return (isService ? loadApplication(azp) : loadUser(sub, tenant)).then((caller) => {
    const contexts = callers.get(sub) ?? new Map<string, { caller: Caller; until: number }>();
    callers.set(sub, contexts.set(key, { caller, until: Date.now() + cacheMs }));
    return caller;
  });
}

async function loadApplication(azp: string): Promise<Caller> {
  const [row] = await sql.application([azp]);
  if (!row) throw problem(403, 'CLIENT_NOT_LINKED');
  return { id: azp, isGlobal: false, tenantId: String(row['id']), isAdmin: true };
}

async function loadUser(sub: string, tenant: string): Promise<Caller> {
  const [row] = await sql.user([sub, tenant === '' ? null : tenant]);
  if (!row) throw problem(403, 'USER_NOT_PROVISIONED');
  const isGlobal = row['type'] === 'Global' && tenant === '';
  if (!isGlobal && !row['persona']) throw problem(403, 'TENANT_NOT_ALLOWED');
  return {
    id: String(row['id']),
    isGlobal,
    tenantId: row['tenantId'] as string | null,
    isAdmin: isGlobal || row['persona'] === 'tenant-admin',
  };
}

/** Drops cached callers whose rights have changed. */
export async function listen(): Promise<void> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  client.on('notification', ({ payload = '{}' }) => {
    const { sub } = JSON.parse(payload) as { sub?: string[] };
    if (sub) for (const subject of sub) callers.delete(subject);
    else callers.clear();
  });
  await client.connect();
  await client.query('listen profile_caller_invalidation');
}
