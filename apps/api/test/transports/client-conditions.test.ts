import type { ProfileClient, ProfileError } from '@profile-service/client';
import { beforeAll, expect, test } from 'vitest';
import { pdf } from '../support/files.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';

const world = useWorldWithMap();
let client: ProfileClient;
beforeAll(async () => {
  client = world.client(world.global);
});

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: ProfileError) => error.code,
  );

test('the typed client updates and removes the record that was read, if it is unchanged', async () => {
  const { id } = await organizationOf(world);
  const [mine, theirs] = [await client.organizations.get.query({ id }), await client.organizations.get.query({ id })];
  const changed = await client.organizations.update.mutate({ ...mine, name: 'Mine' });
  expect(await codeOf(client.organizations.update.mutate({ ...theirs, name: 'Theirs' }))).toBe('PRECONDITION_FAILED');
  expect(await codeOf(client.organizations.remove.mutate(theirs))).toBe('PRECONDITION_FAILED');
  expect(await client.organizations.get.query({ id })).toEqual(changed);
  const again = await client.organizations.update.mutate({ ...changed, alias: 'Mine too' });
  expect(await codeOf(client.organizations.remove.mutate(again))).toBe('done');
});

test('the typed client updates unconditionally without the etag', async () => {
  const app = await client.apps.create.mutate({ name: world.newTaxId() });
  const stale = { ...app, etag: '"0"' };
  expect(await codeOf(client.apps.update.mutate(stale))).toBe('PRECONDITION_FAILED');
  expect(await codeOf(client.apps.update.mutate({ ...stale, etag: undefined }))).toBe('done');
  expect(await codeOf(client.apps.update.mutate({ ...stale, ifMatch: '*' }))).toBe('done');
  expect(await codeOf(client.apps.remove.mutate({ id: app.id }))).toBe('done');
});

test('the typed client sets the scope that was read', async () => {
  const tenant = await world.tenant();
  const membership = { userId: (await world.person({ [tenant.id]: 'viewer' })).id, tenantId: tenant.id };
  const scope = await client.organizationScopes.get.query(membership);
  expect(await codeOf(client.organizationScopes.set.mutate({ ...membership, ...scope, scope: 'RESTRICTED' }))).toBe('done');
  expect(await codeOf(client.organizationScopes.set.mutate({ ...membership, ...scope, scope: 'ALL' }))).toBe('PRECONDITION_FAILED');
});

test('an upload returns the version of its attachment', async () => {
  const attachment = await client.attachments.upload(pdf());
  const changed = await client.attachments.update.mutate({ ...attachment, description: 'Ata' });
  expect(await codeOf(client.attachments.remove.mutate(attachment))).toBe('PRECONDITION_FAILED');
  expect(await codeOf(client.attachments.remove.mutate(changed))).toBe('done');
});

test('the copy of a record is created without its version', async () => {
  const app = await client.apps.create.mutate({ name: world.newTaxId() });
  expect(await codeOf(client.apps.create.mutate({ ...app, name: world.newTaxId() }))).toBe('done');
});
