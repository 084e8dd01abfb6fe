import type { Persona, UserType } from '@profile-service/contracts';

/** The demo tenants: two apps for one customer. */
export const demoTenants = [
  { app: 'Harvest', name: 'Harvest for Cooperativa Central', clientId: 'harvest', clientSecret: 'demo-harvest-secret' },
  { app: 'Ledger', name: 'Ledger for Cooperativa Central', clientId: 'ledger', clientSecret: 'demo-ledger-secret' },
] as const;

export type DemoApp = (typeof demoTenants)[number]['app'];

export interface DemoPerson {
  email: string;
  name: string;
  federalTaxId: string;
  type: UserType;
  memberships: Partial<Record<DemoApp, Persona>>;
}

/** The password of all demo users. */
export const demoPassword = 'demo';

export const demoGlobal: DemoPerson = {
  email: 'gloria@example.com',
  name: 'Gloria Alves',
  federalTaxId: '52998224725',
  type: 'Global',
  memberships: {},
};

/** Returns what a demo user is: the personas with their apps, or a Global user. @param separator between two personas */
export function describePerson({ memberships }: DemoPerson, separator = ', '): string {
  const personas = Object.entries(memberships).map(([app, persona]) => `${persona} of ${app}`);
  return personas.join(separator) || 'Global user';
}

/** One user of each persona, and one with two tenants. */
export const demoPeople: DemoPerson[] = [
  {
    email: 'teresa@example.com',
    name: 'Teresa Lima',
    federalTaxId: '11144477735',
    type: 'Admin',
    memberships: { Harvest: 'tenant-admin' },
  },
  {
    email: 'carlos@example.com',
    name: 'Carlos Rocha',
    federalTaxId: '39053344705',
    type: 'Coordinator',
    memberships: { Harvest: 'coordinator' },
  },
  {
    email: 'tania@example.com',
    name: 'Tania Prado',
    federalTaxId: '15350946056',
    type: 'Technician',
    memberships: { Harvest: 'technician' },
  },
  { email: 'vera@example.com', name: 'Vera Nunes', federalTaxId: '86288366757', type: 'Cooperative', memberships: { Harvest: 'viewer' } },
  {
    email: 'beto@example.com',
    name: 'Beto Costa',
    federalTaxId: '71428793860',
    type: 'Coordinator',
    memberships: { Harvest: 'coordinator', Ledger: 'tenant-admin' },
  },
];
