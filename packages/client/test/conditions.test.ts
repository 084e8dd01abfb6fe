import { expect, test } from 'vitest';
import type { ProfileClient } from '../src/index.ts';
import { startStub, succeeded } from './stub.ts';

const unconditional = { id: '1', name: 'Silo' };
const conditional = { ...unconditional, ifMatch: '"7"' };
/** A record that was read. */
const app = { ...unconditional, etag: '"7"' };
const member = { userId: '1', tenantId: '2' };
const scope = { ...member, scope: 'ALL' as const, organizationIds: [] };

test.each<[string, (client: ProfileClient) => Promise<unknown>, object]>([
  ['an update sends the etag as ifMatch', ({ apps }) => apps.update.mutate(app), conditional],
  ['a removal sends the etag as ifMatch', ({ apps }) => apps.remove.mutate(app), conditional],
  [
    'a scope is set with its etag as ifMatch',
    ({ organizationScopes }) => organizationScopes.set.mutate({ ...scope, etag: '"7"' }),
    { ...scope, ifMatch: '"7"' },
  ],
  ['an ifMatch precedes the etag', ({ apps }) => apps.update.mutate({ ...app, ifMatch: '*' }), { ...conditional, ifMatch: '*' }],
  ['an undefined ifMatch counts as absent', ({ apps }) => apps.update.mutate({ ...app, ifMatch: undefined }), conditional],
  ['an update with an undefined etag is unconditional', ({ apps }) => apps.update.mutate({ ...app, etag: undefined }), unconditional],
  ['an update without an etag is unconditional', ({ apps }) => apps.update.mutate(unconditional), unconditional],
  ['a creation is never conditional', ({ apps }) => apps.create.mutate(app), unconditional],
  [
    'the end of a membership is never conditional',
    ({ memberships }) => memberships.remove.mutate({ ...member, etag: '"7"' } as typeof member),
    member,
  ],
])('%s', async (_what, call, expected) => {
  const stub = await startStub(succeeded);
  await call(stub.client({ maxAttempts: 1 }));
  expect(stub.received[0]?.inputs[0]).toEqual(expected);
});
