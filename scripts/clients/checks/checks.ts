import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

const { PROFILE_URL = '', TOKEN_URL = '', LATER_VERSION_URL = '' } = process.env;
const anyId = '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f';
let user: Client<paths>;
let withoutTenant: Client<paths>;

before(async () => {
  const form = { grant_type: 'password', client_id: 'web', username: 'beto@example.com', password: 'demo' };
  const response = await fetch(TOKEN_URL, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await response.json()) as { access_token: string };
  withoutTenant = createClient<paths>({ baseUrl: PROFILE_URL, headers: { Authorization: `Bearer ${token}` } });
  const { data: tenants } = await withoutTenant.GET('/api/me/tenants');
  const tenant = tenants?.data.find(({ persona }) => persona === 'tenant-admin');
  user = createClient<paths>({ baseUrl: PROFILE_URL, headers: { Authorization: `Bearer ${token}`, 'X-Tenant-Id': tenant?.id ?? '' } });
});

async function create(): Promise<components['schemas']['Organization']> {
  const body = {
    name: 'Checks',
    alias: 'First alias',
    federalTaxId: `TS${String(Math.floor(Math.random() * 1e12)).padStart(12, '0')}`,
    metadata: { a: { b: [1, 'ü', null] } },
    address: { zipCode: '01001000', street: 'Praça da Sé', number: '1', cityCode: 3550308, stateCode: 35 },
  };
  const { data, response } = await user.POST('/api/organizations', { body });
  assert.equal(response.status, 201);
  assert.ok(data);
  return data;
}

describe('TypeScript', () => {
  test('a user of several tenants needs X-Tenant-Id', async () => {
    const { error } = await withoutTenant.GET('/api/organizations');
    assert.equal(error?.code, 'ACTIVE_TENANT_REQUIRED');
    assert.equal(error?.status, 403);
  });

  test('a PUT clears what is null and keeps what is absent', async () => {
    const { id } = await create();
    const params = { path: { id } };
    await user.PUT('/api/organizations/{id}', { params, body: { alias: null, listed: false } });
    const { data: read } = await user.GET('/api/organizations/{id}', { params });
    assert.deepEqual([read?.name, read?.alias, read?.listed, read?.active], ['Checks', null, false, true]);
    assert.deepEqual(read?.metadata, { a: { b: [1, 'ü', null] } });
  });

  test('an If-Match with an old version is PRECONDITION_FAILED', async () => {
    const { id } = await create();
    const path = { id };
    const { response } = await user.GET('/api/organizations/{id}', { params: { path } });
    const version = response.headers.get('ETag') ?? '';
    await user.PUT('/api/organizations/{id}', { params: { path }, body: { name: 'Other' } });
    const { error } = await user.PUT('/api/organizations/{id}', {
      params: { path, header: { 'If-Match': version } },
      body: { name: 'Lost' },
    });
    assert.equal(error?.code, 'PRECONDITION_FAILED');
    const { response: unchanged } = await user.GET('/api/organizations/{id}', { params: { path, header: { 'If-None-Match': '*' } } });
    assert.equal(unchanged.status, 304);
  });

  test('an uploaded file keeps its bytes and its type', async () => {
    const { id } = await create();
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256))]);
    const form = new FormData();
    form.append('entityId', id);
    form.append('file', new Blob([bytes], { type: 'application/pdf' }), 'bytes.pdf');
    const upload = await user.POST('/api/attachments', { body: { file: '' }, bodySerializer: () => form });
    assert.equal(upload.data?.entityId, id);
    const path = { id: upload.data?.id ?? '' };
    const download = await user.GET('/api/attachments/{id}', { params: { path }, parseAs: 'arrayBuffer' });
    assert.equal(download.response.headers.get('Content-Type'), 'application/pdf');
    assert.deepEqual(Buffer.from(download.data ?? new ArrayBuffer()), bytes);
    const range = await user.GET('/api/attachments/{id}', { params: { path, header: { Range: 'bytes=0-7' } }, parseAs: 'text' });
    assert.deepEqual([range.response.status, range.data], [206, '%PDF-1.7']);
  });

  test('a deletion is 204, and the record is gone', async () => {
    const { id } = await create();
    const params = { path: { id } };
    const { response } = await user.DELETE('/api/organizations/{id}', { params });
    assert.equal(response.status, 204);
    const { error } = await user.GET('/api/organizations/{id}', { params });
    assert.equal(error?.code, 'ORGANIZATION_NOT_FOUND');
  });

  test('VALIDATION_FAILED names the invalid field', async () => {
    const { error } = await user.GET('/api/organizations', { params: { query: { limit: 101 } } });
    assert.deepEqual([error?.code, error?.errors?.map(({ path }) => path)], ['VALIDATION_FAILED', ['limit']]);
  });

  test('an unknown error code and unknown fields are readable', async () => {
    const later = createClient<paths>({ baseUrl: LATER_VERSION_URL });
    const { error } = await later.GET('/api/organizations/{id}', { params: { path: { id: anyId } } });
    assert.deepEqual([error?.code, error?.detail], ['CODE_OF_A_LATER_VERSION', 'A later version responds with this.']);
    const { data } = await later.GET('/api/organizations');
    assert.equal(data?.data[0]?.name, 'Cooperativa Vale Verde');
  });
});
