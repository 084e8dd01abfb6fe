import { type ErrorCode, errors, Problem } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { type ApiResponse, asGlobal, send } from './request.ts';

const world = useWorld();

const ask = asGlobal(world);
const json = { 'content-type': 'application/json' };
const mutate = (procedure: string, body: string, headers: Record<string, string> = json) =>
  ask(`POST /trpc/${procedure}`, { headers, body });
const query = (procedure: string, input: unknown) => ask(`GET /trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`);

interface Shape {
  message: string;
  data: { code: string; httpStatus: number; problem: Problem };
}

/** Checks that the response is a tRPC error with this problem. Returns the problem. */
function expectTrpcProblem(answer: ApiResponse, code: ErrorCode): Problem {
  const { status } = errors[code];
  expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([status, 'application/json', expect.any(String)]);
  const { error } = JSON.parse(answer.text) as { error: Shape };
  expect(error.data).toMatchObject({ httpStatus: status, problem: { code, instance: answer.headers['x-request-id'] } });
  expect(error.data).not.toHaveProperty('stack');
  return Problem.strict().parse(error.data.problem);
}

describe('an input', () => {
  // Rules: INPUT-8
  test.each([
    ['a duplicate key', 'input={"page":1,"page":2}', '', 'A key is given more than once'],
    ['the key __proto__', 'input={"__proto__":{"page":2}}', '', 'The key __proto__ is not allowed'],
    ['two inputs', 'input={"page":1}&input={"page":2}', 'input', 'Given more than once'],
    ['two values of batch', 'batch=0&batch=1&input={"0":{}}', 'batch', 'Given more than once'],
    ['a duplicate key in a batch', 'batch=1&input={"0":{},"0":{"page":2}}', '', 'A key is given more than once'],
    ['the key __proto__ in a batch', 'batch=1&input={"0":{"__proto__":{"page":2}}}', '', 'The key __proto__ is not allowed'],
  ])('of a query is rejected with %s', async (_what, search, path, message) => {
    const { status, text } = await ask(`GET /trpc/users.list?${encodeURI(search)}`);
    const [{ error } = { error: undefined }] = [JSON.parse(text) as { error: Shape } | { error: Shape }[]].flat();
    expect([status, error?.data.problem.errors]).toEqual([400, [{ path, message }]]);
  });

  test('is rejected if it is malformed', async () => {
    for (const text of ['{', '%', '%zz', 'undefined', '%7B%22page%22:', '1%202']) {
      const { errors: faults } = expectTrpcProblem(await ask(`GET /trpc/users.list?input=${text}`), 'VALIDATION_FAILED');
      expect([text, faults]).toEqual([text, [{ path: '', message: 'The input is not valid JSON' }]]);
    }
    for (const text of ['{', '', ' ', '{"name":', '"x'])
      for (const procedure of ['apps.create', 'apps.remove']) expectTrpcProblem(await mutate(procedure, text), 'VALIDATION_FAILED');
  });

  test.each([[[]], [['x']], ['x'], [5], [true]])('is rejected if it is not an object: %j', async (input) => {
    const faults = [{ path: '', message: expect.any(String) }];
    expect(expectTrpcProblem(await query('users.list', input), 'VALIDATION_FAILED').errors).toEqual(faults);
    expect(expectTrpcProblem(await mutate('tenants.update', JSON.stringify(input)), 'VALIDATION_FAILED').errors).toEqual(faults);
  });

  test('is empty if it is absent', async () => {
    const answers = [await ask('GET /trpc/users.list'), await query('users.list', null), await query('users.list', {})];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(expectTrpcProblem(await ask('POST /trpc/apps.create'), 'VALIDATION_FAILED').errors).toMatchObject([{ path: 'name' }]);
  });

  test('of a mutation without fields has the same limits', async () => {
    const large = JSON.stringify({ id: 'x'.repeat(1024 * 1024) });
    expectTrpcProblem(await mutate('apps.remove', large), 'PAYLOAD_TOO_LARGE');
    expectTrpcProblem(await mutate('apps.remove', '{}', { 'content-type': 'text/plain' }), 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('a procedure', () => {
  test.each([
    'unknown',
    'users',
    'users.create.more',
    '',
    'constructor',
    'users.__proto__',
    'toString',
    '%20',
    'service.users',
    '../12345users.list',
    './users.list',
  ])('gets 404 if it does not exist: %s', async (procedure) => {
    expectTrpcProblem(await ask(`GET /trpc/${procedure}`), 'ROUTE_NOT_FOUND');
    expectTrpcProblem(await send(world.service.url, `POST /trpc/${procedure}`, { headers: json, body: '{}' }), 'ROUTE_NOT_FOUND');
  });

  test('gets 400 if its name cannot be decoded, and 405 for another method', async () => {
    expectTrpcProblem(await ask('GET /trpc/%zz'), 'VALIDATION_FAILED');
    const [asQuery, asMutation] = [await query('users.create', world.newPerson()), await mutate('users.list', '{}')];
    for (const answer of [asQuery, asMutation]) expectTrpcProblem(answer, 'METHOD_NOT_ALLOWED');
    expect([asQuery, asMutation].map(({ headers }) => headers.allow)).toEqual(['POST', 'GET']);
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const answer = await ask(`${method} /trpc/users.list`);
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'GET, HEAD, POST']);
      expect(Problem.parse(JSON.parse(answer.text)).code).toBe('METHOD_NOT_ALLOWED');
    }
  });
});

describe('a batch', () => {
  const batch = (procedures: string, inputs: unknown) =>
    ask(`GET /trpc/${procedures}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`);
  const codes = ({ text }: ApiResponse) =>
    (JSON.parse(text) as { error?: Shape }[]).map(({ error }) => error?.data.problem.code ?? 'success');

  test('returns the result of each call, and runs the valid mutations', async () => {
    const answer = await batch('users.list,users.get,unknown,users.get', { 0: {}, 1: { id: absentId }, 3: { id: 1 } });
    expect(answer.status).toBe(207);
    expect(codes(answer)).toEqual(['success', 'USER_NOT_FOUND', 'ROUTE_NOT_FOUND', 'VALIDATION_FAILED']);
    const name = world.newTaxId();
    const created = await mutate('apps.create,apps.create?batch=1', JSON.stringify({ 0: { name }, 1: { name: '' } }));
    expect(codes(created)).toEqual(['success', 'VALIDATION_FAILED']);
    expect(await world.sql('select from apps where name = $1', [name])).toHaveLength(1);
  });

  test.each(['{', '[]', '[{"name":"a"},{"name":"b"}]', '5', '""', 'null'])(
    'is rejected if its inputs are not an object: %s',
    async (body) => {
      const answer = await mutate('apps.create,apps.create?batch=1', body);
      expect(codes(answer)).toEqual(['VALIDATION_FAILED', 'VALIDATION_FAILED']);
    },
  );

  test('cannot mix queries and mutations, and can be streamed line by line', async () => {
    expectTrpcProblem(await batch('users.list,users.create', {}), 'VALIDATION_FAILED');
    const answer = await ask('GET /trpc/users.list,unknown?batch=1&input={}', { headers: { 'trpc-accept': 'application/jsonl' } });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('ROUTE_NOT_FOUND');
    expectTrpcProblem(await ask('GET /trpc/users.list', { headers: { 'trpc-accept': 'application/jsonl' } }), 'VALIDATION_FAILED');
  });

  test('without a token gets 401, as its status and for each call', async () => {
    const answer = await send(world.service.url, 'GET /trpc/users.list,me.tenants?batch=1');
    expect([answer.status, answer.headers['www-authenticate'], codes(answer)]).toEqual([401, 'Bearer', ['UNAUTHORIZED', 'UNAUTHORIZED']]);
  });
});

// Rules: INPUT-9
test('connection parameters are ignored, and a response to HEAD has no body', async () => {
  expect((await ask('GET /trpc/users.list?connectionParams=%7B')).status).toBe(200);
  expect(await ask('HEAD /trpc/users.list')).toMatchObject({ status: 204, text: '' });
});
