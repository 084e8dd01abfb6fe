import type { Insertable, Kysely } from 'kysely';
import { type DB, newId } from '../src/index.ts';

/** Functions that insert records with the given values, and default values for the rest. Each returns the id. */
export function records(db: Kysely<DB>) {
  let serial = 0;
  const digits = (length: number) => String(++serial).padStart(length, '0');

  async function insert<
    T extends
      'customers' | 'apps' | 'tenants' | 'users' | 'organizations' | 'organizationAddresses' | 'organizationContacts' | 'attachments',
  >(table: T, values: Insertable<DB[T]> & { id: string }): Promise<string> {
    await db.insertInto(table).values(values).execute();
    return values.id;
  }

  const make = {
    customer: (given: Partial<Insertable<DB['customers']>> = {}) =>
      insert('customers', { id: newId(), name: 'Central', federalTaxId: digits(14), ...given }),

    app: (given: Partial<Insertable<DB['apps']>> = {}) => insert('apps', { id: newId(), name: `App ${digits(4)}`, ...given }),

    tenant: async (given: Partial<Insertable<DB['tenants']>> = {}) =>
      insert('tenants', {
        id: newId(),
        name: 'Harvest',
        ...given,
        customerId: given.customerId ?? (await make.customer()),
        appId: given.appId ?? (await make.app()),
      }),

    user: (given: Partial<Insertable<DB['users']>> = {}) => {
      const federalTaxId = digits(11);
      const email = `${federalTaxId}@example.com`;
      return insert('users', {
        id: newId(),
        idIdentity: `sub-${federalTaxId}`,
        name: 'Ana',
        email,
        federalTaxId,
        type: 'Technician',
        ...given,
      });
    },

    /** An organization with links to these tenants. */
    organization: async (given: Partial<Insertable<DB['organizations']>> = {}, ...tenantIds: string[]) => {
      const id = await insert('organizations', { id: newId(), name: 'Cooperativa', federalTaxId: digits(14), ...given });
      for (const tenantId of tenantIds) await db.insertInto('organizationTenants').values({ organizationId: id, tenantId }).execute();
      return id;
    },

    /** A RESTRICTED membership with grants for these organizations. */
    restricted: async (userId: string, tenantId: string, ...organizationIds: string[]) => {
      await db.insertInto('memberships').values({ userId, tenantId, persona: 'technician', scope: 'RESTRICTED' }).execute();
      for (const organizationId of organizationIds) {
        await db.insertInto('membershipOrganizations').values({ userId, tenantId, organizationId }).execute();
      }
    },

    /** São Paulo and Curitiba, in their states. */
    places: async () => {
      const place = { latitude: 0, longitude: 0 };
      await db
        .insertInto('states')
        .values([
          { ...place, stateCode: 35, uf: 'SP', name: 'São Paulo', region: 'Sudeste' },
          { ...place, stateCode: 41, uf: 'PR', name: 'Paraná', region: 'Sul' },
        ])
        .execute();
      const city = { ...place, capital: true, timeZone: 'America/Sao_Paulo' };
      await db
        .insertInto('cities')
        .values([
          { ...city, ibgeCode: 3550308, name: 'São Paulo', stateCode: 35, siafiId: '7107', ddd: 11 },
          { ...city, ibgeCode: 4106902, name: 'Curitiba', stateCode: 41, siafiId: '7535', ddd: 41 },
        ])
        .execute();
    },

    /** An address in São Paulo. By default it is current. */
    address: (organizationId: string, given: Partial<Insertable<DB['organizationAddresses']>> = {}) => {
      const place = { zipCode: '01001000', street: 'Praça da Sé', number: '1', cityCode: 3550308, stateCode: 35 };
      return insert('organizationAddresses', { id: newId(), organizationId, ...place, ...given });
    },

    contact: (organizationId: string, given: Partial<Insertable<DB['organizationContacts']>> = {}) =>
      insert('organizationContacts', { id: newId(), organizationId, type: 'PHONE', value: '+55 11 5555-0000', ...given }),

    attachment: (userId: string, given: Partial<Insertable<DB['attachments']>> = {}) => {
      const id = newId();
      const file = { filePath: `files/${id}.pdf`, originalFilename: 'a.pdf', contentType: 'application/pdf', size: 1 };
      return insert('attachments', { id, userId, ...file, ...given });
    },
  };
  return make;
}
