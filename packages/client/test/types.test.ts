import { expectTypeOf, test } from 'vitest';
import * as client from '../src/index.ts';
import type { Expected, ExpectedFields, Generated, GeneratedFields } from './contract-types.ts';

/* The compiler checks these types (`pnpm typecheck`). At run time the assertions do nothing, and no request is sent. */
const profile = client.createProfileClient({ url: 'http://127.0.0.1:1', token: 'token' });
/** The compiler checks the body, and nobody runs it. */
const expectCompiled = (_body: (error: unknown) => unknown) => undefined;

test('the generated types have the inputs and outputs of the contracts', () => {
  expectCompiled(() => {
    const generated = {} as { exact: Generated; fields: GeneratedFields };
    const expected = {} as { exact: Expected; fields: ExpectedFields };
    return [generated satisfies typeof expected, expected satisfies typeof generated];
  });
});

test('the exported types are those of calls', () => {
  expectTypeOf<Awaited<ReturnType<typeof profile.users.get.query>>>().toEqualTypeOf<client.UsersGetOutput>();
  expectTypeOf<client.UsersGetOutput>().toExtend<client.User>();
  expectTypeOf(profile.users.create.mutate).parameter(0).toEqualTypeOf<client.UsersCreateInput>();
  expectTypeOf(profile.organizations.get.query).returns.resolves.toExtend<client.Organization>();
  expectTypeOf<Awaited<ReturnType<typeof profile.apps.remove.mutate>>>().toEqualTypeOf<undefined>();
  expectTypeOf(profile.users.list.query).toBeCallableWith();
});

test('the types accept undefined for what is optional', () => {
  expectCompiled(() => {
    const none = undefined as { number: number; signal: AbortSignal; fetch: typeof fetch } | undefined;
    const options = { token: undefined, tenantId: undefined, maxAttempts: none?.number, fetch: none?.fetch };
    client.createProfileClient({ url: '', ...options });
    client.clientCredentials({ issuer: '', clientId: '', clientSecret: '', scope: undefined, fetch: none?.fetch });
    void profile.organizations.list.safe({ limit: none?.number }, { signal: none?.signal });
    void profile.attachments.download('1', { range: { start: 0, end: none?.number }, onProgress: undefined, signal: none?.signal });
  });
});

test('the types reject what the service does not know', () => {
  expectCompiled(() => {
    // @ts-expect-error: no such persona
    void profile.memberships.assign.mutate({ userId: '1', tenantId: '2', persona: 'king' });
    // @ts-expect-error: no such entity type
    void profile.attachments.upload(new Blob([]), { entityType: 'king' });
    // @ts-expect-error: no such procedure
    void profile.users.king;
    // @ts-expect-error: a file is no procedure
    void profile.attachments.get;
  });
});

test('safe returns the data, or an error with the codes of the endpoint and of the client', () => {
  type Codes = client.OrganizationsGetErrorCode;
  type Result = Awaited<ReturnType<typeof profile.organizations.get.safe>>;
  expectTypeOf<Extract<Result, { ok: true }>['data']>().toExtend<client.Organization>();
  expectTypeOf<Extract<Result, { ok: false }>['error']>().toEqualTypeOf<client.ProfileError<Codes | client.ClientErrorCode>>();
  expectTypeOf<Codes>().toExtend<client.ErrorCode>();
  expectTypeOf<client.CommonErrorCode | 'ORGANIZATION_NOT_FOUND'>().toExtend<Codes>();
  expectTypeOf<'USER_NOT_FOUND'>().not.toExtend<Codes>();
  expectCompiled(async () => {
    const uploaded = await profile.attachments.upload.safe(new Blob([]));
    if (!uploaded.ok) expectTypeOf<'InvalidAttachmentTypeError' | 'ABORTED'>().toExtend<typeof uploaded.error.code>();
    const downloaded = await profile.attachments.download.safe('1');
    if (!downloaded.ok) expectTypeOf<'InvalidAttachmentTypeError'>().not.toExtend<typeof downloaded.error.code>();
  });
});

test('the calls of imports have the types of the contracts, and dryRun is a boolean', () => {
  expectTypeOf(profile.imports.run).returns.resolves.toEqualTypeOf<client.Import>();
  expectTypeOf(profile.imports.wait).returns.resolves.toEqualTypeOf<client.Import>();
  expectTypeOf(profile.imports.template).returns.resolves.toEqualTypeOf<client.ExportedFile>();
  expectTypeOf(profile.imports.results).parameter(0).toEqualTypeOf<string>();
  expectCompiled(async () => {
    const none = undefined as { signal: AbortSignal; format: 'csv' } | undefined;
    // A handler of run is one of wait too.
    const onProgress = (progress: client.ImportProgress) => (progress.phase === 'rows' ? progress.import.id : progress.loaded);
    void profile.imports.run(new Blob([]), { type: 'users', dryRun: true, format: none?.format, signal: none?.signal, onProgress });
    void profile.imports.wait('1', { signal: none?.signal, onProgress });
    void profile.imports.results('1', { format: none?.format });
    // @ts-expect-error: no such type
    void profile.imports.run(new Blob([]), { type: 'kings' });
    // @ts-expect-error: run creates imports
    void profile.imports.create;
    const ended = await profile.imports.run.safe(new Blob([]), { type: 'users' });
    if (!ended.ok) expectTypeOf<'INVALID_IMPORT_FILE' | 'IMPORT_NOT_FOUND' | 'ABORTED'>().toExtend<typeof ended.error.code>();
  });
});

test('a check of ok or of isProfileError narrows', () => {
  expectCompiled(async (thrown) => {
    const { ok, data, error } = await profile.users.list.safe();
    if (ok) {
      expectTypeOf(data.total).toEqualTypeOf<number>();
      expectTypeOf(error).toEqualTypeOf<undefined>();
    } else if (error.code === 'NOT_ALLOWED') {
      expectTypeOf(error.status).toEqualTypeOf<number | undefined>();
      // @ts-expect-error: the endpoint does not declare this code
    } else if (error.code === 'APP_NOT_FOUND') {
      expectTypeOf(data).toEqualTypeOf<undefined>();
    }
    if (client.isProfileError(thrown, 'APP_IN_USE', 'ABORTED')) expectTypeOf(thrown.code).toEqualTypeOf<'APP_IN_USE' | 'ABORTED'>();
    if (client.isProfileError(thrown)) expectTypeOf(thrown).toEqualTypeOf<client.ProfileError>();
  });
});
