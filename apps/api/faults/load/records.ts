import { randomUUID } from 'node:crypto';
import type { People } from '../environment/people.ts';
import { type LoadState, sendUntilSuccess, write } from './writer.ts';

const address = { zipCode: '01001000', street: 'Praça da Sé', number: '1', cityCode: 3550308, stateCode: 35 };

/** Returns a writer of organizations with their parts, and of apps. Only it changes its records, so that it knows what a read must return. */
export function recordWriter(state: LoadState, people: People): () => Promise<void> {
  const { global, tenant } = people;
  const names = new Map<string, string>();
  const apps: string[] = [];
  const anOrganization = () => [...names.keys()].at(-Math.ceil(Math.random() * Math.min(names.size, 20)));
  const post = (token: string, path: string, body: object, event: string) =>
    write(state, 'records', { method: 'POST', path, token, body, key: randomUUID() }, event);

  async function createOrganization(token: string, path: string): Promise<void> {
    const name = `Organization ${randomUUID()}`;
    names.set(await post(token, path, { name, federalTaxId: people.newTaxId(), address }, 'organization.created'), name);
  }
  async function rename(id: string): Promise<void> {
    const name = `Renamed ${randomUUID()}`;
    const request = { method: 'PUT', path: `/api/organizations/${id}`, token: global, body: { name } } as const;
    await write(state, 'records', request, 'organization.updated', id);
    names.set(id, name);
  }
  async function read(id: string): Promise<void> {
    const { body } = await sendUntilSuccess(state, 'records', { method: 'GET', path: `/api/organizations/${id}`, token: tenant.admin });
    const { name } = JSON.parse(body.toString()) as { name: string };
    if (name !== names.get(id)) state.violations.push(`a read of organization ${id} returned ${name} instead of ${names.get(id)}`);
  }
  async function deleteApp(): Promise<void> {
    const id = apps.pop();
    if (id) await write(state, 'records', { method: 'DELETE', path: `/api/apps/${id}`, token: global }, 'app.deleted', id);
  }
  const contact = (organizationId: string) => ({
    organizationId,
    type: 'URL',
    value: `https://${randomUUID()}.example`,
    isPrimary: true,
  });
  const withOrganization = (work: (id: string) => Promise<unknown>) => async () => {
    const id = anOrganization();
    if (id) await work(id);
  };
  const works = [
    () => createOrganization(tenant.admin, '/api/organizations'),
    () => createOrganization(tenant.application, '/service/organizations'),
    withOrganization(rename),
    withOrganization(read),
    withOrganization((id) => post(global, '/api/organization-contacts', contact(id), 'organizationContact.created')),
    withOrganization((id) =>
      post(global, '/api/organization-addresses', { organizationId: id, ...address }, 'organizationAddress.created'),
    ),
    async () => void apps.push(await post(global, '/api/apps', { name: randomUUID() }, 'app.created')),
    deleteApp,
  ];
  return async () => works[Math.floor(Math.random() * works.length)]?.();
}
