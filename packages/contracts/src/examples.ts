/**
 * Values of the examples in the OpenAPI document. All examples describe the same records, so that a request example refers to the
 * record of a response example. Tax ids have valid check digits. Codes of places are real. Other unique values are not those of the demo data, so
 * that the requests succeed there once.
 */

/** Ids of the records. */
export const exampleIds = {
  user: '019bc186-de00-7b44-9d5e-0a1b2c3d4e01',
  customer: '019bc186-de00-7b44-9d5e-0a1b2c3d4e02',
  app: '019bc186-de00-7b44-9d5e-0a1b2c3d4e03',
  tenant: '019bc186-de00-7b44-9d5e-0a1b2c3d4e04',
  organization: '019bc186-de00-7b44-9d5e-0a1b2c3d4e05',
  address: '019bc186-de00-7b44-9d5e-0a1b2c3d4e06',
  contact: '019bc186-de00-7b44-9d5e-0a1b2c3d4e07',
  previousContact: '019bc186-de00-7b44-9d5e-0a1b2c3d4e08',
  documentType: '019bc186-de00-7b44-9d5e-0a1b2c3d4e09',
  attachment: '019bc186-de00-7b44-9d5e-0a1b2c3d4e0a',
  auditEntry: '019bc186-de00-7b44-9d5e-0a1b2c3d4e0b',
  event: '019bc186-de00-7b44-9d5e-0a1b2c3d4e0c',
  webhook: '019bc186-de00-7b44-9d5e-0a1b2c3d4e0d',
  delivery: '019bc186-de00-7b44-9d5e-0a1b2c3d4e0e',
  import: '019bc186-de00-7b44-9d5e-0a1b2c3d4e0f',
} as const;

export const exampleTimestamps = { createdAt: '2026-01-15T12:00:00.000Z', updatedAt: '2026-01-15T12:00:00.000Z' } as const;

/** An address in São Paulo, as a request sends it. */
export const exampleAddress = {
  zipCode: '01001000',
  street: 'Praça da Sé',
  number: '1',
  district: 'Sé',
  cityCode: 3550308,
  stateCode: 35,
  latitude: -23.5503,
  longitude: -46.6339,
} as const;
