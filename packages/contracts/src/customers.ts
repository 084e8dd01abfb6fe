import { z } from 'zod';
import { access } from './access.ts';
import { describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { Email, FederalTaxId, Name, pageOf, paging, ShortText, UrlText, Uuid } from './fields.ts';

const example = {
  id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
  federalTaxId: '11222333000181',
  name: 'Cooperativa Central',
  alias: null,
  email: 'contato@example.com',
  phone: null,
  active: true,
};

export const Customer = z
  .object({
    id: Uuid.describe('Id of the customer.'),
    federalTaxId: z.string().describe('Federal tax id (CPF or CNPJ), 11 to 14 characters. Unique; cannot be changed.'),
    name: z.string().describe('Legal name.'),
    alias: z.string().nullable().describe('Trade name.'),
    email: z.string().nullable().describe('Contact e-mail address. Stored trimmed and in lower case.'),
    phone: z.string().nullable().describe('Contact telephone number.'),
    logoPath: z.string().nullable().describe('URL or path of the logo.'),
    active: z.boolean().describe('Whether the customer is active. Informational: the service does not act on it.'),
  })
  .meta({ id: 'Customer', example: { ...example, logoPath: null } });

const editable = describeLike(Customer, {
  name: Name,
  alias: ShortText.nullable(),
  email: Email.nullable(),
  phone: ShortText.nullable(),
  logoPath: UrlText.nullable(),
  active: z.boolean(),
});

const CustomerCreate = z
  .object(describeLike(Customer, { federalTaxId: FederalTaxId }))
  .extend(z.object(editable).partial().shape)
  .extend({ name: editable.name, active: editable.active.default(true) })
  .meta({ id: 'CustomerCreate', example: { federalTaxId: '11222333000181', name: 'Cooperativa Central' } });

const CustomerUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'CustomerUpdate', example: { active: false } });

const params = { id: Customer.shape.id };

export const customers = {
  create: defineEndpoint('POST /api/customers', access.user('customers', 'create', 'resource:customers'), {
    summary: 'Create a customer',
    body: CustomerCreate,
    output: Customer.omit({ logoPath: true }).meta({ id: 'CustomerCreated', example }),
    success: 201,
    versioned: 'customer',
    events: ['customer.created'],
    errors: ['CUSTOMER_ALREADY_EXISTS'],
  }),
  list: defineEndpoint('GET /api/customers', access.user('customers', 'read', 'resource:customers'), {
    summary: 'List customers',
    description: 'Newest first.',
    query: paging,
    output: pageOf(Customer, 'CustomerPage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/customers/{id}', access.user('customers', 'read', 'resource:customers_id'), {
    summary: 'Get a customer',
    params,
    output: Customer,
    success: 200,
    versioned: 'customer',
    errors: ['CUSTOMER_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/customers/{id}', access.user('customers', 'update', 'resource:customers_id'), {
    summary: 'Update a customer',
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
