import { setTimeout as pause } from 'node:timers/promises';
import { clientCredentials, createProfileClient, isProfileError, type ProfileClient } from '@profile-service/client';
import { cpf } from '../support/cpf.ts';

const address = { zipCode: '01001000', street: 'Praça da Sé', number: '1', cityCode: 3_550_308, stateCode: 35 };
const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)];
const random = (digits: number) => Array.from({ length: digits }, () => Math.floor(Math.random() * 10)).join('');

interface Demo {
  url: string;
  realmUrl: string;
  global: ProfileClient;
}

/** Creates writers that change records of every kind of the copy, at random, as a Global user and as the applications of two tenants. */
export async function createWriters({ url, realmUrl, global }: Demo) {
  const application = (clientId: string) =>
    createProfileClient({ url, token: clientCredentials({ issuer: realmUrl, clientId, clientSecret: `demo-${clientId}-secret` }) }).service;
  const applications = ['harvest', 'ledger'].map(application);
  const tenants = (await global.tenants.list.query()).data;
  const known = {
    organizations: [] as string[],
    tenants: [] as string[],
    addresses: [] as string[],
    contacts: [] as string[],
    users: [] as string[],
  };
  const created = (list: string[], { id }: { id: string }) => void list.push(id);
  const someone = () => ({ userId: pick(known.users) ?? '', tenantId: pick([...tenants.map(({ id }) => id), ...known.tenants]) ?? '' });
  const organization = () => ({ organizationId: pick(known.organizations) ?? '' });
  const contact = () => ({ type: 'EMAIL' as const, value: `${random(9)}@example.com`, isPrimary: Math.random() < 0.5 });
  const newOrganization = () => ({ name: `Cooperativa ${random(6)}`, federalTaxId: random(14), address, contacts: [contact()] });
  const person = () => ({
    name: `Nina ${random(6)}`,
    email: `${random(12)}@example.com`,
    federalTaxId: cpf(Number(random(9))),
    type: 'Technician' as const,
  });
  const persona = () => pick(['technician', 'viewer', 'coordinator'] as const) ?? 'viewer';

  const createTenant = async () => {
    const app = await global.apps.create.mutate({ name: `App ${random(9)}` });
    created(known.tenants, await global.tenants.create.mutate({ customerId: tenants[0]!.customerId, appId: app.id, name: app.name }));
  };

  const writes: Record<string, () => Promise<unknown>> = {
    createOrganization: async () => created(known.organizations, await pick(applications)!.organizations.create.mutate(newOrganization())),
    createUnlinked: async () => created(known.organizations, await global.organizations.create.mutate(newOrganization())),
    rename: () => global.organizations.update.mutate({ id: organization().organizationId, name: `Renamed ${random(6)}`, alias: null }),
    removeOrganization: () => global.organizations.remove.mutate({ id: organization().organizationId }),
    link: () => pick(applications)!.organizations.link.mutate(organization()),
    unlink: () => pick(applications)!.organizations.unlink.mutate(organization()),
    createAddress: async () =>
      created(known.addresses, await global.organizationAddresses.create.mutate({ ...organization(), ...address })),
    updateAddress: () => global.organizationAddresses.update.mutate({ id: pick(known.addresses) ?? '', complement: random(4) }),
    removeAddress: () => global.organizationAddresses.remove.mutate({ id: pick(known.addresses) ?? '' }),
    createContact: async () =>
      created(known.contacts, await global.organizationContacts.create.mutate({ ...organization(), ...contact() })),
    updateContact: () => global.organizationContacts.update.mutate({ id: pick(known.contacts) ?? '', isPrimary: true }),
    removeContact: () => global.organizationContacts.remove.mutate({ id: pick(known.contacts) ?? '' }),
    createUser: async () => created(known.users, await pick(applications)!.users.create.mutate({ ...person(), persona: persona() })),
    renameUser: () => global.users.update.mutate({ id: someone().userId, name: `Renamed ${random(6)}` }),
    removeUser: () => global.users.remove.mutate({ id: someone().userId }),
    assign: () => global.memberships.assign.mutate({ ...someone(), persona: persona() }),
    createTenant,
    removeTenant: () => global.tenants.remove.mutate({ id: pick(known.tenants) ?? '' }),
    unassign: () => global.memberships.remove.mutate(someone()),
  };
  /** How often each write succeeded. */
  const done = new Map(Object.keys(writes).map((name) => [name, 0]));

  async function write(): Promise<void> {
    const [name, run] = pick(Object.entries(writes))!;
    try {
      await run();
      done.set(name, (done.get(name) ?? 0) + 1);
    } catch (error) {
      // Another writer may have deleted the record, or none exists yet.
      if (!isProfileError(error) || ![400, 403, 404, 409].includes(error.status ?? 0)) throw error;
    }
    await pause(Math.random() * 20);
  }
  return {
    done,
    /** Writes with several writers at once until the check is true. */
    async writeUntil(isEnough: () => boolean): Promise<void> {
      const writer = async () => {
        while (!isEnough()) await write();
      };
      await Promise.all(Array.from({ length: 6 }, writer));
    },
  };
}
