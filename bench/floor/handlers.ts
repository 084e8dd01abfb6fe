import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import createParser from 'busboy';
import { sql } from './statements.ts';
import { type Call, problem, type Row } from './types.ts';

const { STORAGE_DIR = '' } = process.env;

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
export const handlers: Record<string, (call: Call) => Promise<void>> = {
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
