import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike, shared } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { exportDescription, exportOf } from './export.ts';
import { exampleIds } from './examples.ts';
import { Alias, Email, FederalTaxId, Name, ShortText, UrlText, Uuid } from './fields.ts';
import { defineList, equals, nameContains } from './list.ts';

const example = {
  id: exampleIds.customer,
  federalTaxId: '45678901000175',
  name: 'Central Agropecuária do Vale',
  alias: null,
  email: 'contato@example.com',
  phone: null,
  active: true,
};

export const Customer = z
  .object({
    id: Uuid.describe('Id of the customer, set by the service.'),
    federalTaxId: z
      .string()
      .describe(
        'Federal tax id (CPF or CNPJ): 11 to 14 letters and digits, without punctuation. Stored in upper case. Unique; cannot be changed. The check digits are not verified.',
      ),
    name: z.string().describe('Legal name (razão social), 1 to 255 characters in a request.'),
    alias: z.string().nullable().describe('Trade name (nome fantasia). Null if there is none.'),
    email: z.string().nullable().describe('Contact e-mail address. Stored trimmed and in lower case; not unique. Null if unknown.'),
    phone: z.string().nullable().describe('Contact telephone number in any format. Null if unknown.'),
    logoPath: z.string().nullable().describe(shared.logoPath),
    active: z.boolean().describe(shared.active('customer')),
  })
  .meta({
    id: 'Customer',
    description: 'A customer of the platform. Apps run for it as tenants, and users can work for it.',
    example: { ...example, logoPath: null },
  });

const editable = describeLike(Customer, {
  name: Name,
  alias: Alias.nullable(),
  email: Email.nullable(),
  phone: ShortText.nullable(),
  logoPath: UrlText.nullable(),
  active: z.boolean(),
});

const CustomerCreate = z
  .object(describeLike(Customer, { federalTaxId: FederalTaxId }))
  .extend(z.object(editable).partial().shape)
  .extend({ name: editable.name, active: editable.active.default(true) })
  .meta({
    id: 'CustomerCreate',
    description: 'Fields of a new customer.',
    example: { federalTaxId: example.federalTaxId, name: example.name, email: example.email },
  });

const CustomerUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'CustomerUpdate', description: changesOf('a customer'), example: { alias: 'Central do Vale', phone: '+55 11 5555-0100' } });

const params = { id: Customer.shape.id.meta({ example: exampleIds.customer }) };

const listing = defineList('customer', Customer, {
  page: 'CustomerPage',
  sortable: ['id', 'federalTaxId', 'name', 'alias', 'email', 'phone', 'active'],
  filters: {
    name: nameContains('customers'),
    federalTaxId: equals(FederalTaxId, 'Only the customer with this tax id, without punctuation.'),
    active: equals(z.boolean(), 'Only active customers (`true`), or only inactive ones (`false`).'),
  },
});

export const customers = {
  create: defineEndpoint('POST /api/customers', access.user('customers', 'create', 'resource:customers'), {
    summary: 'Create a customer',
    description: 'The customer has no tenants at first: create one for each app that runs for it.',
    body: CustomerCreate,
    output: Customer.omit({ logoPath: true }).meta({
      id: 'CustomerCreated',
      description: 'A new customer: a Customer without `logoPath`.',
      example,
    }),
    success: 201,
    versioned: 'customer',
    events: ['customer.created'],
    errors: ['CUSTOMER_ALREADY_EXISTS'],
  }),
  list: defineEndpoint('GET /api/customers', access.user('customers', 'read', 'resource:customers'), {
    summary: 'List customers',
    description: 'Newest first, with inactive customers.',
    ...listing,
  }),
  export: defineEndpoint('GET /api/customers/export', access.user('customers', 'read', 'resource:customers'), {
    summary: 'Export customers',
    description: exportDescription,
    ...exportOf(listing, Customer),
  }),
  get: defineEndpoint('GET /api/customers/{id}', access.user('customers', 'read', 'resource:customers_id'), {
    summary: 'Get a customer',
    description: 'Returns an active or an inactive customer.',
    params,
    output: Customer,
    success: 200,
    versioned: 'customer',
    errors: ['CUSTOMER_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/customers/{id}', access.user('customers', 'update', 'resource:customers_id'), {
    summary: 'Update a customer',
    description: '`federalTaxId` cannot be changed. `active` has no effect on the tenants of the customer.',
    params,
    body: CustomerUpdate,
    output: Customer,
    success: 200,
    versioned: 'customer',
    events: ['customer.updated'],
    errors: ['CUSTOMER_NOT_FOUND'],
  }),
  remove: defineEndpoint('DELETE /api/customers/{id}', access.user('customers', 'delete', 'resource:customers_id'), {
    summary: 'Delete a customer',
    description: 'The customer must have no tenants and no users.',
    params,
    success: 204,
    versioned: 'customer',
    events: ['customer.deleted'],
    errors: ['CUSTOMER_NOT_FOUND', 'CUSTOMER_IN_USE'],
  }),
};
