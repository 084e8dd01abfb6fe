import { QueryClient } from '@tanstack/react-query';
import { createTRPCContext, createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { expect, expectTypeOf, test } from 'vitest';
import { isProfileError, type ProfileClient, type ProfileRouter } from '../src/index.ts';
import { startStub } from './stub.ts';

test('@trpc/tanstack-react-query calls with the options and the idempotency key of the client, and passes its error on', async () => {
  const stub = await startStub({ status: 404, code: 'APP_NOT_FOUND' });
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { apps } = createTRPCOptionsProxy<ProfileRouter>({ client: stub.client({ tenantId: 'tenant' }), queryClient });
  const error: unknown = await queryClient.query(apps.get.queryOptions({ id: '1' })).catch((thrown: unknown) => thrown);
  expect(isProfileError(error, 'APP_NOT_FOUND') && error.status).toBe(404);
  const failed = apps.create.mutationOptions().mutationFn?.({ name: 'Silo' }, { client: queryClient, meta: undefined });
  await expect(failed).rejects.toMatchObject({ name: 'ProfileError', code: 'APP_NOT_FOUND' });
  expect(stub.received.map(({ headers }) => headers['x-tenant-id'])).toEqual(['tenant', 'tenant']);
  expect(stub.received[1]?.inputs[0]).toEqual({ name: 'Silo', idempotencyKey: expect.any(String) });
});

test('@trpc/tanstack-react-query accepts the client in its provider', () => {
  const { TRPCProvider } = createTRPCContext<ProfileRouter>();
  expectTypeOf<ProfileClient>().toExtend<Parameters<typeof TRPCProvider>[0]['trpcClient']>();
});
