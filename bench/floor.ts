/**
 * The floor of the benchmark: the least that a Node program must do to respond to the measured requests as the service does.
 * It uses node:http and `pg` with named prepared statements, one SQL statement per request, and caches tokens and callers as the service does. It has
 * no router, no validation and no framework.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import createParser from 'busboy';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';
import { pino } from 'pino';

const { PORT = '0', DATABASE_URL = '', IDENTITY_REALM_URL = '', IDENTITY_AUDIENCE = '', STORAGE_DIR = '' } = process.env;
const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(1));

type Row = Record<string, unknown>;
type Caller = { id: string; isGlobal: boolean; tenantId: string | null; isAdmin: boolean };
/** A request with the id in its path and its query. */
type Call = { request: IncomingMessage; response: ServerResponse; caller: Caller; id: string; query: string };
const problem = (status: number, code: string) => Object.assign(new Error(code), { status });

// The texts that the database sends become ISO timestamps without a Date.
const { TIMESTAMPTZ, INT8 } = pg.types.builtins;
pg.types.setTypeParser(TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`);
pg.types.setTypeParser(INT8, Number);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

let statements = 0;
/** Returns a function that runs a named prepared statement. */
function prepare(text: string) {
  const name = `s${(statements += 1)}`;
  return async (values: unknown[]) => (await pool.query<Row>({ name, text, values })).rows;
}

/** Selects columns under the names that they have in responses. */
const select = (table: string, names: string) =>
  names.replaceAll(/\w+/g, (name) => `${table}.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${name}"`);
const organizationNames =
  'id, name, alias, federalTaxId, stateTaxId, municipalTaxId, logoPath, active, listed, metadata, organizationAddressId, createdAt, updatedAt, deletedAt';
const organization = select('o', organizationNames);
const contact = select('c', 'id, organizationId, type, description, value, isPrimary, createdAt, updatedAt');
const user = select('u', 'id, idIdentity, name, email, federalTaxId, type, jobTitle, customerId, createdAt, updatedAt');
const attachment = select('a', 'id, entityType, filePath, originalFilename, description, external, entityId, userId, createdAt, updatedAt');

const live = 'o.deleted_at is null';
const linked = (id: string) => `exists (select from organization_tenants l where l.tenant_id = $1 and l.organization_id = ${id})`;
const scoped = `from organization_tenants l join organizations o on o.id = l.organization_id where l.tenant_id = $1 and ${live}`;
const named = (parameter: string) => `and search_contains(o.search_name, ${parameter})`;
/** The number of live organizations: of a tenant, or of all under the nil UUID. A counter is the sum of its rows. */
const counted = (tenant: string) => `(select sum(count)::bigint from organization_counts where tenant_id = ${tenant}) as total`;
const notify = `pg_notify('profile_caller_invalidation', json_build_object('sub', json_build_array(u.id_identity))::text)`;
const setPersona = 'on conflict (user_id, tenant_id) do update set persona = excluded.persona';

const sql = {
  user: prepare(`select u.id, u.type, m.tenant_id as "tenantId", m.persona from users u left join
       (memberships m join tenants t on t.id = m.tenant_id and t.active) on m.user_id = u.id and m.tenant_id = $2
     where u.id_identity = $1 and u.deleted_at is null`),
  application: prepare('select t.id from tenants t where t.identity_client_id = $1 and t.active'),
  get: prepare(`select ${organization} from organizations o where o.id = $2 and ${live} and ${linked('o.id')}`),
  list: prepare(`select ${organization}, ${counted('$1')} ${scoped} order by l.organization_id desc limit $2 offset $3`),
  listNamed: prepare(
    `select ${organization}, count(*) over () as total ${scoped} ${named('$4')} order by l.organization_id desc limit $2 offset $3`,
  ),
  listAll: prepare(`select ${organization}, ${counted("'00000000-0000-0000-0000-000000000000'")}
     from organizations o where ${live} order by o.id desc limit $1 offset $2`),
  listAllNamed: prepare(
    `select ${organization}, count(*) over () as total from organizations o where ${live} ${named('$3')} order by o.id desc limit $1 offset $2`,
  ),
  members: prepare(`select ${select('u', 'id, name, email, type, jobTitle')}, m.persona from memberships m join users u on u.id = m.user_id
     where m.tenant_id = $1 and u.deleted_at is null order by u.id desc`),
  addContact: prepare(`with o as (select o.id from organizations o where o.id = $2 and ${live} and ${linked('o.id')} for no key update),
       cleared as (update organization_contacts c set is_primary = false, updated_at = now() from o
         where $6 and c.organization_id = o.id and c.is_primary returning 1)
     insert into organization_contacts as c (id, organization_id, type, value, description, is_primary)
       select uuidv7(), o.id, $3, $4, $5, $6 from o left join (select count(*) from cleared) done on true returning ${contact}`),
  addOrganization: prepare(`with new as materialized (select uuidv7() id, uuidv7() address_id),
       address as (insert into organization_addresses (id, organization_id, zip_code, street, number, complement, district, city_code,
           state_code, latitude, longitude, country)
         select address_id, id, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21 from new),
       contacts as (insert into organization_contacts (id, organization_id, type, value, description, is_primary)
         select uuidv7(), new.id, c.* from new, unnest($22::text[], $23::text[], $24::text[], $25::boolean[]) c),
       link as (insert into organization_tenants (organization_id, tenant_id) select id, $1 from new),
       granted as (insert into membership_organizations (user_id, tenant_id, organization_id)
         select m.user_id, m.tenant_id, new.id from memberships m, new where m.user_id = $2 and m.tenant_id = $1 and m.scope = 'RESTRICTED')
     insert into organizations as o (id, organization_address_id, active, listed, name, alias, federal_tax_id, state_tax_id, municipal_tax_id,
         logo_path, metadata)
       select id, address_id, $3, $4, $5, $6, $7, $8, $9, $10, $11 from new returning ${organization}`),
  addMember: prepare(`with u as (select id, id_identity from users where id = $1 and deleted_at is null for update),
       m as (insert into memberships (user_id, tenant_id, persona) select id, $2, $3 from u ${setPersona})
     select ${notify} from u`),
  provision: prepare(`with u as (select u.* from users u where u.deleted_at is null and (u.email = $2 or u.federal_tax_id = $3)),
       m as (insert into memberships (user_id, tenant_id, persona)
         select id, $1, $4 from u where email = $2 and federal_tax_id = $3 ${setPersona})
     select ${user}, ${notify} as notified from u where u.email = $2 and u.federal_tax_id = $3`),
  file: prepare(`select a.file_path as path, a.original_filename as filename, a.content_type as type, a.size from attachments a
     where a.id = $2 and a.deleted_at is null and ${linked('a.entity_id')}
       and not exists (select from organizations o where o.id = a.entity_id and o.deleted_at is not null)`),
  addFile:
    prepare(`insert into attachments as a (id, entity_type, entity_id, file_path, original_filename, description, user_id, tenant_id, content_type, size)
       select uuidv7(), $4, $3, $5, $6, $7, $2, $1, $8, $9 where ${linked('$3::uuid')} returning ${attachment}`),
};

const cacheMs = 300_000;
const keys = createRemoteJWKSet(new URL(`${IDENTITY_REALM_URL}/protocol/openid-connect/certs`));
const tokens = new Map<string, { sub: string; azp: string; until: number }>();
/** Callers by subject, then by client, tenant and kind. */
const callers = new Map<string, Map<string, { caller: Caller; until: number }>>();

/** Returns the caller, without a promise if token and caller are cached. */
function authenticate({ headers, url = '' }: IncomingMessage): Caller | Promise<Caller> {
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
async function listen(): Promise<void> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  client.on('notification', ({ payload = '{}' }) => {
    const { sub } = JSON.parse(payload) as { sub?: string[] };
    if (sub) for (const subject of sub) callers.delete(subject);
    else callers.clear();
  });
  await client.connect();
  await client.query('listen profile_caller_invalidation');
}

/** Reads a JSON body by events: the asynchronous iterator of a request is slower. */
const readJson = async ({ request }: Call) =>
  new Promise<Row>((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
    request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as Row));
  });

function send({ response }: Call, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}

/** Sends the row of a statement, or the problem if there is none. */
function sendRow(call: Call, status: number, [row]: Row[], missing: number, code: string): void {
  if (!row) throw problem(missing, code);
  send(call, status, row);
}

const organizationFields = ['name', 'alias', 'federalTaxId', 'stateTaxId', 'municipalTaxId', 'logoPath', 'metadata'];
const addressFields = 'zipCode street number complement district cityCode stateCode latitude longitude country'.split(' ');
const contactFields = ['type', 'value', 'description', 'isPrimary'];

/** What responds to a request, by method and path. An id in the path is left out. */
const handlers: Record<string, (call: Call) => Promise<void>> = {
  'GET api/organizations/': async (call) =>
    sendRow(call, 200, await sql.get([call.caller.tenantId, call.id]), 404, 'ORGANIZATION_NOT_FOUND'),
  'GET api/organizations': async (call) => {
    const query = new URLSearchParams(call.query);
    const [page, limit, name] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 20), query.get('name')];
    const { tenantId } = call.caller;
    const [plain, filtered] = tenantId ? [sql.list, sql.listNamed] : [sql.listAll, sql.listAllNamed];
    const values = [...(tenantId ? [tenantId] : []), limit, (page - 1) * limit];
    const data = await (name === null ? plain(values) : filtered([...values, name]));
    const total = Number(data[0]?.['total'] ?? 0);
    // JSON.stringify leaves it out.
    for (const row of data) row['total'] = undefined;
    send(call, 200, { data, total, totalPages: Math.ceil(total / limit), currentPage: page });
  },
  'GET api/tenants//users': async (call) => {
    if (!call.caller.isGlobal) throw problem(403, 'NOT_ALLOWED');
    send(call, 200, { data: await sql.members([call.id]) });
  },
  'POST api/organization-contacts': async (call) => {
    const { organizationId, type, value, description, isPrimary = false } = await readJson(call);
    const rows = await sql.addContact([call.caller.tenantId, organizationId, type, value, description, isPrimary]);
    sendRow(call, 201, rows, 403, 'NOT_ALLOWED_ORGANIZATION');
  },
  'POST api/organizations': async (call) => {
    if (!call.caller.isAdmin) throw problem(403, 'NOT_ALLOWED');
    const { active = true, listed = true, address, contacts = [], ...fields } = await readJson(call);
    const rows = await sql.addOrganization([
      ...[call.caller.tenantId, call.caller.id, active, listed].concat(organizationFields.map((name) => fields[name])),
      ...addressFields.map((name) => (address as Row)[name] ?? (name === 'country' ? 'Brasil' : null)),
      ...contactFields.map((name) => (contacts as Row[]).map((each) => each[name] ?? (name === 'isPrimary' ? false : null))),
    ]);
    sendRow(call, 201, rows, 500, 'INTERNAL_ERROR');
  },
  'POST api/users//tenants': async (call) => {
    if (!call.caller.isGlobal) throw problem(403, 'NOT_ALLOWED');
    const { tenantId, persona } = await readJson(call);
    const [found] = await sql.addMember([call.id, tenantId, persona]);
    sendRow(call, 201, found ? [{ userId: call.id, tenantId }] : [], 404, 'USER_NOT_FOUND');
  },
  'POST service/users': async (call) => {
    const { email, federalTaxId, persona } = await readJson(call);
    const rows = await sql.provision([call.caller.tenantId, email, federalTaxId, persona]);
    if (rows[0]) rows[0]['notified'] = undefined;
    sendRow(call, 201, rows, 409, 'USER_DATA_MISMATCH');
  },
  'GET api/attachments/': async ({ caller, id, response }) => {
    const [file] = await sql.file([caller.tenantId, id]);
    if (!file) throw problem(404, 'ATTACHMENT_NOT_FOUND');
    const disposition = `attachment; filename="${String(file['filename'])}"`;
    const head = { 'content-type': String(file['type']), 'content-length': Number(file['size']), 'content-disposition': disposition };
    await pipeline(createReadStream(join(STORAGE_DIR, String(file['path']))), response.writeHead(200, head));
  },
  'POST api/attachments': async (call) => {
    const fields: Record<string, string> = {};
    const path = `attachments/DOCUMENT/${randomUUID()}.pdf`;
    const target = join(STORAGE_DIR, path);
    const writer = createWriteStream(`${target}.part`, { flush: true });
    const parser = createParser({ headers: call.request.headers }).on('field', (name, value) => (fields[name] = value));
    let written: Promise<unknown[]> | undefined;
    parser.on('file', (_name, content, { filename, mimeType }) => {
      written = pipeline(content, writer).then(() => [filename, fields['description'], mimeType, writer.bytesWritten]);
    });
    await pipeline(call.request, parser);
    const [filename, description, type, size] = (await written) ?? [];
    await rename(`${target}.part`, target);
    const { entityId, entityType = 'DOCUMENT' } = fields;
    const rows = await sql.addFile([call.caller.tenantId, call.caller.id, entityId, entityType, path, filename, description, type, size]);
    sendRow(call, 201, rows, 403, 'NOT_ALLOWED_ORGANIZATION');
  },
};

const server = createServer((request, response) => {
  const startedAt = performance.now();
  const [path = '', query = ''] = request.url?.split('?') ?? [];
  const [, area, resource, id, sub] = path.split('/');
  const operation = `${request.method} ${area}/${resource}${id === undefined ? '' : `/${sub === undefined ? '' : `/${sub}`}`}`;
  let known: Caller | undefined;
  const respond = (caller: Caller) => {
    known = caller;
    const handler = handlers[operation];
    if (!handler) throw problem(404, 'ROUTE_NOT_FOUND');
    return handler({ request, response, caller, id: id ?? '', query });
  };
  response.once('close', () => {
    const [requestId, durationMs] = [randomUUID(), Math.round((performance.now() - startedAt) * 10) / 10];
    const { statusCode: status } = response;
    log.info({ requestId, operation, method: request.method, caller: known?.id, tenant: known?.tenantId, status, durationMs }, 'request');
  });
  const fail = (error: Error & { status?: number }) => {
    if (response.headersSent) return void response.destroy(error);
    response.writeHead(error.status ?? 500, { 'content-type': 'application/problem+json' }).end(JSON.stringify({ code: error.message }));
  };
  try {
    const caller = authenticate(request);
    void (caller instanceof Promise ? caller.then(respond) : respond(caller)).catch(fail);
  } catch (error) {
    fail(error as Error);
  }
});

await listen();
// Lets --cpu-prof write its file.
process.once('SIGTERM', () => process.exit());
await mkdir(join(STORAGE_DIR, 'attachments', 'DOCUMENT'), { recursive: true });
server.listen(Number(PORT), '127.0.0.1');
