import type { DemoApp } from './people.ts';

/** The demo organizations, with real addresses in real cities. The last one belongs to both tenants. */
export const demoOrganizations: { apps: DemoApp[]; organization: Record<'name' | 'alias' | 'federalTaxId', string> & DemoContent }[] = [
  {
    apps: ['Harvest'],
    organization: {
      name: 'Cooperativa Agrícola Vale do Itajaí',
      alias: 'Vale do Itajaí',
      federalTaxId: '04216331000170',
      address: place('89010025', 'Rua XV de Novembro', '161', 'Centro', 4202404, 42),
      contacts: [email('contato@valedoitajai.example'), { type: 'PHONE', value: '+55 47 3555-0101' }],
    },
  },
  {
    apps: ['Harvest'],
    organization: {
      name: 'Cooperativa dos Produtores do Cerrado',
      alias: 'Cerrado',
      federalTaxId: '12789450000134',
      address: place('75901060', 'Avenida Presidente Vargas', '266', 'Centro', 5218805, 52),
      contacts: [email('cerrado@cooperativas.example')],
    },
  },
  {
    apps: ['Ledger'],
    organization: {
      name: 'Cooperativa Amazônia Viva',
      alias: 'Amazônia Viva',
      federalTaxId: '23876541000119',
      address: place('69005070', 'Avenida Eduardo Ribeiro', '620', 'Centro', 1302603, 13),
      contacts: [{ type: 'URL', value: 'https://amazonia-viva.example', isPrimary: true }],
    },
  },
  {
    apps: ['Harvest', 'Ledger'],
    organization: {
      name: 'Cooperativa Sertão Verde',
      alias: 'Sertão Verde',
      federalTaxId: '31654987000102',
      address: place('56302000', 'Avenida Guararapes', '2114', 'Centro', 2611101, 26),
      contacts: [email('secretaria@sertaoverde.example')],
    },
  },
];

interface DemoContent {
  address: ReturnType<typeof place>;
  contacts: { type: 'PHONE' | 'EMAIL' | 'URL'; value: string; isPrimary?: boolean }[];
}

function place(zipCode: string, street: string, number: string, district: string, cityCode: number, stateCode: number) {
  return { zipCode, street, number, district, cityCode, stateCode };
}

function email(value: string) {
  return { type: 'EMAIL' as const, value, isPrimary: true };
}
