import { randomBytes } from 'node:crypto';
import type { ProfileClient } from '@profile-service/client';
import { type ClientSettings, clientOf, logIn, portalToken } from './clients.ts';
import { expectEqual } from './expect.ts';

/** What the steps create through the published port, to find it again later. */
export interface Records {
  organizationId: string;
  attachmentId: string;
}

const file = Buffer.from('%PDF-1.7\nA file that outlives the containers\n%%EOF\n');

const organization = {
  name: 'Cooperativa Agrícola',
  federalTaxId: '04216331000170',
  address: { zipCode: '89010025', street: 'Rua XV de Novembro', number: '161', district: 'Centro', cityCode: 4202404, stateCode: 42 },
  contacts: [{ type: 'EMAIL' as const, value: 'contato@example.com', isPrimary: true }],
};

/** Creates a tenant of the application portal-app, a user, and an organization with an attachment. */
export async function createRecords(settings: ClientSettings): Promise<Records> {
  const global = clientOf(settings, await logIn(settings));
  const customer = await global.customers.create.mutate({
    federalTaxId: '11222333000181',
    name: 'Customer',
    email: 'customer@example.com',
  });
  const app = await global.apps.create.mutate({ name: 'Portal' });
  await global.tenants.create.mutate({ customerId: customer.id, appId: app.id, name: 'Tenant', identityClientId: 'portal-app' });
  await createUser(global, 'ana@example.com', '11144477735');

  const portal = clientOf(settings, await portalToken(settings));
  const { id: organizationId } = await portal.service.organizations.create.mutate(organization);
  return { organizationId, attachmentId: await upload(global, organizationId) };
}

/** Creates a user, which reaches the identity provider. */
export async function createUser(global: ProfileClient, email: string, federalTaxId: string): Promise<void> {
  const { idIdentity } = await global.users.create.mutate({ name: 'Ana Silva', email, federalTaxId, type: 'Coordinator' });
  if (!idIdentity) throw new Error(`${email} has no identity`);
}

/** Uploads a file of the organization. Returns the id of the attachment. */
export async function upload(global: ProfileClient, organizationId: string, bytes = file): Promise<string> {
  const source = new File([bytes], 'file.pdf', { type: 'application/pdf' });
  return (await global.attachments.upload(source, { entityType: 'ORGANIZATION', entityId: organizationId })).id;
}

/** Uploads random bytes, downloads them and compares them. @param size in bytes */
export async function transfer(global: ProfileClient, organizationId: string, size: number): Promise<void> {
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size)]).subarray(0, size);
  const id = await upload(global, organizationId, bytes);
  const downloaded = Buffer.from(await (await global.attachments.download(id)).bytes());
  if (!downloaded.equals(bytes)) throw new Error(`A file of ${size} bytes was changed: ${downloaded.length} bytes`);
}

/** Throws unless the organization and the bytes of its attachment can be read. */
export async function checkRecords(settings: ClientSettings, { organizationId, attachmentId }: Records): Promise<void> {
  const global = clientOf(settings, await logIn(settings));
  expectEqual('the organization', (await global.organizations.get.query({ id: organizationId })).id, organizationId);
  const downloaded = await global.attachments.download(attachmentId);
  expectEqual('the attachment', Buffer.from(await downloaded.bytes()), file);
}
