import { QueryClient } from '@tanstack/react-query';
import { createTRPCContext, createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { isProfileError, type ProfileClient, type ProfileRouter } from '../src/index.ts';
import { startStub, type Stub } from './stub.ts';

let stub: Stub;
let queryClient: QueryClient;
beforeEach(async () => {
  stub = await startStub({ status: 404, code: 'APP_NOT_FOUND' });
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});
afterEach(() => stub.stop());

describe('@trpc/tanstack-react-query', () => {
  const optionsOf = () => createTRPCOptionsProxy<ProfileRouter>({ client: stub.client({ tenantId: 'tenant' }), queryClient });

  test('queries with the options of the client, and passes its error on as it is', async () => {
    const failed = queryClient.query(optionsOf().apps.get.queryOptions({ id: '1' }));
    const error: unknown = await failed.catch((thrown: unknown) => thrown);
    expect(isProfileError(error, 'APP_NOT_FOUND') && error.status).toBe(404);
    expect(stub.received.map(({ headers }) => headers['x-tenant-id'])).toEqual(['tenant']);
  });

  test('mutates with an idempotency key', async () => {
    const { mutationFn } = optionsOf().apps.create.mutationOptions();
    const failed = mutationFn?.({ name: 'Silo' }, { client: queryClient, meta: undefined });
    await expect(failed).rejects.toMatchObject({ name: 'ProfileError', code: 'APP_NOT_FOUND' });
    expect(stub.received[0]?.inputs[0]).toEqual({ name: 'Silo', idempotencyKey: expect.any(String) });
  });

  test('accepts the client in its provider', () => {
    const { TRPCProvider } = createTRPCContext<ProfileRouter>();
    expectTypeOf<ProfileClient>().toExtend<Parameters<typeof TRPCProvider>[0]['trpcClient']>();
  });
});
