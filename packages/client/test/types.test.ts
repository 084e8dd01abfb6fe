import { describe, expectTypeOf, test } from 'vitest';
import {
  type CommonErrorCode,
  type OrganizationsGetErrorCode,
  type User,
  type UsersCreateInput,
  type UsersGetOutput,
  clientCredentials,
  type ClientErrorCode,
  createProfileClient,
  type ErrorCode,
  isProfileError,
  type Organization,
  type ProfileError,
} from '../src/index.ts';
import type { Expected, ExpectedFields, Generated, GeneratedFields } from './contract-types.ts';

/* The compiler checks these types (`pnpm typecheck`). At run time the assertions do nothing, and no request is sent. */
const profile = createProfileClient({ url: 'http://127.0.0.1:1', token: 'token' });
/** The compiler checks the body, and nobody runs it. */
const expectCompiled = (_body: (error: unknown) => unknown) => undefined;

describe('the generated types', () => {
  test('have the inputs and outputs of the contracts', () => {
    expectCompiled(() => {
      const generated = {} as { exact: Generated; fields: GeneratedFields };
      const expected = {} as { exact: Expected; fields: ExpectedFields };
      return [generated satisfies typeof expected, expected satisfies typeof generated];
    });
  });

  test('are those of calls', () => {
    expectTypeOf<Awaited<ReturnType<typeof profile.users.get.query>>>().toEqualTypeOf<UsersGetOutput>();
    expectTypeOf<UsersGetOutput>().toExtend<User>();
    expectTypeOf(profile.users.create.mutate).parameter(0).toEqualTypeOf<UsersCreateInput>();
    expectTypeOf(profile.organizations.get.query).returns.resolves.toExtend<Organization>();
    expectTypeOf<Awaited<ReturnType<typeof profile.apps.remove.mutate>>>().toEqualTypeOf<undefined>();
    expectTypeOf(profile.users.list.query).toBeCallableWith();
  });

  test('accept undefined for what is optional', () => {
    expectCompiled(() => {
      const none = undefined as { number: number; signal: AbortSignal; fetch: typeof fetch } | undefined;
      const options = { token: undefined, tenantId: undefined, maxAttempts: none?.number, fetch: none?.fetch };
      createProfileClient({ url: '', ...options });
      clientCredentials({ issuer: '', clientId: '', clientSecret: '', scope: undefined, fetch: none?.fetch });
      void profile.organizations.list.safe({ limit: none?.number }, { signal: none?.signal });
      void profile.attachments.download('1', { range: { start: 0, end: none?.number }, onProgress: undefined, signal: none?.signal });
    });
  });

  test('reject what the service does not know', () => {
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
});

describe('safe', () => {
  test('returns the data, or an error with the codes of the endpoint and of the client', async () => {
    type Result = Awaited<ReturnType<typeof profile.organizations.get.safe>>;
    expectTypeOf<Extract<Result, { ok: true }>['data']>().toExtend<Organization>();
    expectTypeOf<Extract<Result, { ok: false }>['error']>().toEqualTypeOf<ProfileError<OrganizationsGetErrorCode | ClientErrorCode>>();
    expectTypeOf<OrganizationsGetErrorCode>().toExtend<ErrorCode>();
    expectTypeOf<CommonErrorCode>().toExtend<OrganizationsGetErrorCode>();
    expectTypeOf<'ORGANIZATION_NOT_FOUND'>().toExtend<OrganizationsGetErrorCode>();
    expectTypeOf<'USER_NOT_FOUND'>().not.toExtend<OrganizationsGetErrorCode>();
  });

  test('narrows after a check of ok', () => {
    expectCompiled(async () => {
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
    });
  });

  test('has the codes of uploads and downloads', () => {
    expectCompiled(async () => {
      const uploaded = await profile.attachments.upload.safe(new Blob([]));
      if (!uploaded.ok) expectTypeOf<'InvalidAttachmentTypeError' | 'ABORTED'>().toExtend<typeof uploaded.error.code>();
      const downloaded = await profile.attachments.download.safe('1');
      if (!downloaded.ok) expectTypeOf<'InvalidAttachmentTypeError'>().not.toExtend<typeof downloaded.error.code>();
    });
  });
});

test('isProfileError narrows to the codes that it is given', () => {
  expectCompiled((error) => {
    if (isProfileError(error)) expectTypeOf(error).toEqualTypeOf<ProfileError>();
    if (isProfileError(error, 'APP_IN_USE', 'ABORTED')) expectTypeOf(error.code).toEqualTypeOf<'APP_IN_USE' | 'ABORTED'>();
  });
});
