import createClient from 'openapi-fetch';
import { follow } from './events.js';
import type { components, paths } from './schema.d.ts';

type Problem = components['schemas']['Problem'];

const url = process.env['PROFILE_URL'] ?? 'http://localhost:3000';
const tokenUrl = process.env['TOKEN_URL'] ?? 'http://localhost:3001/realms/profile/protocol/openid-connect/token';

async function getToken(form: Record<string, string>): Promise<string> {
  const response = await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`No token: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Returns the data of a response, or throws its problem. */
async function dataOf<T>(call: Promise<{ data?: T; error?: Problem }>): Promise<T> {
  const { data, error } = await call;
  if (error) throw new Error(`${error.code}: ${error.detail}`, { cause: error });
  return data as T;
}

// An application has a token of its own. The token selects the tenant.
const serviceToken = await getToken({ grant_type: 'client_credentials', client_id: 'harvest', client_secret: 'demo-harvest-secret' });
const application = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${serviceToken}` } });
const linked = await dataOf(application.GET('/service/organizations', { params: { query: { limit: 5 } } }));
console.log(`The application sees ${linked.total} organizations.`);

// A user chooses the active tenant with X-Tenant-Id. A real frontend logs users in with the authorization code flow.
const userToken = await getToken({ grant_type: 'password', client_id: 'web', username: 'beto@example.com', password: 'demo' });
const headers: Record<string, string> = { Authorization: `Bearer ${userToken}` };
const tenants = await dataOf(createClient<paths>({ baseUrl: url, headers }).GET('/api/me/tenants'));
const tenant = tenants.data.find(({ persona }) => persona === 'tenant-admin');
const user = createClient<paths>({ baseUrl: url, headers: { ...headers, 'X-Tenant-Id': tenant?.id ?? '' } });

const page = await dataOf(user.GET('/api/organizations', { params: { query: { active: true, limit: 5 } } }));
console.log(`${tenant?.name}: ${page.total} active organizations.`);

// The position of the present in the events.
const present = await dataOf(user.GET('/api/events', { params: { query: { startDate: new Date().toISOString() } } }));

const created = await dataOf(
  user.POST('/api/organizations', {
    body: {
      name: 'Cooperativa Vale Verde',
      alias: 'Vale Verde',
      federalTaxId: String(Math.floor(Math.random() * 9e13) + 1e13),
      address: { zipCode: '01001000', street: 'Praça da Sé', number: '1', cityCode: 3550308, stateCode: 35 },
    },
  }),
);
const byId = { params: { path: { id: created.id } } };

// null clears the alias. The absent name stays.
const updated = await dataOf(user.PUT('/api/organizations/{id}', { ...byId, body: { alias: null, listed: false } }));
console.log(`${updated.name}: alias ${updated.alias}, listed ${updated.listed}.`);

// The type of the Blob becomes the content type of the file.
const file = new Blob(['%PDF-1.7\n'], { type: 'application/pdf' });
const attachment = await dataOf(
  user.POST('/api/attachments', {
    body: { file: '', entityType: 'DOCUMENT', entityId: created.id },
    bodySerializer(body) {
      const form = new FormData();
      for (const [name, value] of Object.entries(body)) if (name !== 'file') form.append(name, String(value));
      form.append('file', file, 'estatuto.pdf');
      return form;
    },
  }),
);
const bytes = await dataOf(user.GET('/api/attachments/{id}', { params: { path: { id: attachment.id } }, parseAs: 'arrayBuffer' }));
console.log(`Downloaded ${bytes.byteLength} bytes of ${attachment.originalFilename}.`);

const { response } = await user.DELETE('/api/organizations/{id}', byId);
console.log(`Deleted: status ${response.status}.`);

const { error } = await user.GET('/api/organizations/{id}', byId);
switch (error?.code) {
  case undefined:
    throw new Error('The organization still exists.');
  case 'ORGANIZATION_NOT_FOUND':
    console.log('The organization is gone.');
    break;
  default:
    // Later versions of the service may have more codes.
    throw new Error(`${error?.code}: ${error?.detail}. Request id: ${error?.instance}`);
}

const seen: string[] = [];
for await (const events of follow(user, present.nextCursor, ['organization.*'])) {
  for (const { type, record } of events.data) if (record.id === created.id) seen.push(type);
  if (seen.includes('organization.deleted')) break;
}
console.log(`Events: ${seen.join(', ')}.`);
