import { type Insertable, type Kysely, sql } from 'kysely';
import { type DB, newId } from '../src/index.ts';

type TableWithId =
  | 'customers'
  | 'apps'
  | 'tenants'
  | 'users'
  | 'organizations'
  | 'organizationAddresses'
  | 'organizationContacts'
  | 'attachments'
  | 'webhooks';
type Given<T extends TableWithId> = Partial<Insertable<DB[T]>>;

/** Functions that insert records with the given values, and default values for the rest. Each returns the id. */
export function records(db: Kysely<DB>) {
  let serial = 0;
  const digits = (length: number) => String(++serial).padStart(length, '0');

  async function insert<T extends TableWithId>(table: T, defaults: Omit<Insertable<DB[T]>, 'id'>, given: Given<T> = {}): Promise<string> {
    const id = newId();
    const values = { id, ...defaults, ...given } as unknown as Insertable<DB[T]>;
    await db.insertInto(table).values(values).execute();
    return id;
  }

  const make = {
    customer: (given?: Given<'customers'>) => insert('customers', { name: 'Central', federalTaxId: digits(14) }, given),

    app: (given?: Given<'apps'>) => insert('apps', { name: `App ${digits(4)}` }, given),

    async tenant(given: Given<'tenants'> = {}) {
      const [customerId, appId] = [given.customerId ?? (await make.customer()), given.appId ?? (await make.app())];
      return insert('tenants', { name: 'Harvest', customerId, appId }, given);
    },

    user(given?: Given<'users'>) {
      const federalTaxId = digits(11);
      const email = `${federalTaxId}@example.com`;
      return insert('users', { idIdentity: `sub-${federalTaxId}`, name: 'Ana', email, federalTaxId, type: 'Technician' }, given);
    },

    /** An organization with links to these tenants. */
    async organization(given: Given<'organizations'> = {}, ...tenantIds: string[]) {
      const organizationId = await insert('organizations', { name: 'Cooperativa', federalTaxId: digits(14) }, given);
      for (const tenantId of tenantIds) await db.insertInto('organizationTenants').values({ organizationId, tenantId }).execute();
      return organizationId;
    },

    /** A RESTRICTED membership with grants for these organizations. */
    async restricted(userId: string, tenantId: string, ...organizationIds: string[]) {
      await db.insertInto('memberships').values({ userId, tenantId, persona: 'technician', scope: 'RESTRICTED' }).execute();
      for (const organizationId of organizationIds)
        await db.insertInto('membershipOrganizations').values({ userId, tenantId, organizationId }).execute();
    },

    /** São Paulo and Curitiba, in their states. */
    async places() {
      await sql`insert into states (state_code, uf, name, region, latitude, longitude)
        values (35, 'SP', 'São Paulo', 'Sudeste', 0, 0), (41, 'PR', 'Paraná', 'Sul', 0, 0)`.execute(db);
      await sql`insert into cities (ibge_code, name, state_code, siafi_id, ddd, capital, time_zone, latitude, longitude)
        values (3550308, 'São Paulo', 35, '7107', 11, true, 'America/Sao_Paulo', 0, 0),
          (4106902, 'Curitiba', 41, '7535', 41, true, 'America/Sao_Paulo', 0, 0)`.execute(db);
    },

    /** An address in São Paulo. By default it is current. */
    address(organizationId: string, given?: Given<'organizationAddresses'>) {
      const place = { zipCode: '01001000', street: 'Praça da Sé', number: '1', cityCode: 3550308, stateCode: 35 };
      return insert('organizationAddresses', { organizationId, ...place }, given);
    },

    contact: (organizationId: string, given?: Given<'organizationContacts'>) =>
      insert('organizationContacts', { organizationId, type: 'PHONE', value: '+55 11 5555-0000' }, given),

    attachment(userId: string, given?: Given<'attachments'>) {
      const file = { filePath: `files/${newId()}.pdf`, originalFilename: 'a.pdf', contentType: 'application/pdf', size: 1 };
      return insert('attachments', { userId, ...file }, given);
    },

    webhook: (tenantId: string | null, given?: Given<'webhooks'>) =>
      insert('webhooks', { tenantId, url: 'https://hooks.example.com/', types: ['*'], secret: Buffer.from('sealed') }, given),
  };
  return make;
}
