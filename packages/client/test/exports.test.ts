import { expect, test } from 'vitest';
import { createProfileClient } from '../src/index.ts';

const options = { url: 'http://service', token: 'token', maxAttempts: 1 };

test('an export has its filters in the address, and returns the file', async () => {
  const requests: string[] = [];
  const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename=organizations-2026-01-31.csv' };
  const fetch = async (url: unknown) => {
    requests.push(url as string);
    return new Response('id\r\n1\r\n', { headers });
  };
  const { organizations, service } = createProfileClient({ ...options, fetch });
  const progress: number[] = [];
  const file = await organizations.export(
    { format: 'csv', sort: ['name', '-createdAt'], name: 'ação', active: undefined },
    { onProgress: ({ loaded }) => progress.push(loaded) },
  );
  expect(new TextDecoder().decode(await file.bytes())).toBe('id\r\n1\r\n');
  expect(file).toMatchObject({ filename: 'organizations-2026-01-31.csv', contentType: 'text/csv' });
  expect(progress).toEqual([7]);
  await service.organizations.export({});
  expect(requests).toEqual([
    'http://service/api/organizations/export?format=csv&sort=name%2C-createdAt&name=a%C3%A7%C3%A3o',
    'http://service/service/organizations/export?',
  ]);
});

test('an export of one record takes its id first, which is a part of the path', async () => {
  const requests: string[] = [];
  const fetch = async (url: unknown) => {
    requests.push(url as string);
    return new Response('{}');
  };
  const { imports } = createProfileClient({ ...options, fetch });
  const progress: number[] = [];
  const results = await imports.results('a/b', { status: 'FAILED', format: 'csv' }, { onProgress: ({ loaded }) => progress.push(loaded) });
  expect(await (await results.blob()).text()).toBe('{}');
  expect(progress).toEqual([2]);
  expect(await imports.results.safe('1')).toMatchObject({ ok: true });
  await imports.template({ type: 'organizations', format: 'csv' });
  expect(await imports.template.safe({ type: 'users' })).toMatchObject({ ok: true });
  expect(requests.map((url) => url.slice('http://service/api/imports'.length))).toEqual([
    '/a%2Fb/results?status=FAILED&format=csv',
    '/1/results?',
    '/template?type=organizations&format=csv',
    '/template?type=users',
  ]);
});

test('an export that is refused or breaks off is a ProfileError', async () => {
  const problem = { status: 403, code: 'NOT_ALLOWED', title: 'Not allowed', detail: 'No.', instance: '1', type: 'about:blank' };
  const refuse = async () => Response.json(problem, { status: 403, headers: { 'content-type': 'application/problem+json' } });
  expect(await createProfileClient({ ...options, fetch: refuse }).users.export.safe({})).toMatchObject({
    ok: false,
    error: { code: 'NOT_ALLOWED' },
  });
  const body = new ReadableStream({
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
  const file = await createProfileClient({ ...options, fetch: async () => new Response(body) }).users.export({});
  await expect(file.blob()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
});
