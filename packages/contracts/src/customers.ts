import { z } from 'zod';
import { access } from './access.ts';
import { Email, FederalTaxId, Line, Locator, Name, pageOf, paging, Uuid } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';

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
    id: Uuid,
    federalTaxId: z.string(),
    name: z.string(),
    alias: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    logoPath: z.string().nullable(),
    active: z.boolean(),
  })
  .meta({ id: 'Customer', example: { ...example, logoPath: null } });

const editable = {
  name: Name,
  alias: Line.nullable(),
  email: Email.nullable(),
  phone: Line.nullable(),
  logoPath: Locator.nullable(),
  active: z.boolean(),
};

const CustomerCreate = z
  .object({ federalTaxId: FederalTaxId })
  .extend(z.object(editable).partial().shape)
  .extend({ name: editable.name, active: editable.active.default(true) })
  .meta({ id: 'CustomerCreate', example: { federalTaxId: '11222333000181', name: 'Cooperativa Central' } });

const CustomerUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'CustomerUpdate', example: { active: false } });

export const customers = {
  create: defineEndpoint('POST /api/customers', access.user('customers', 'create', 'resource:customers'), {
    summary: 'Create a customer',
    body: CustomerCreate,
    output: Customer.omit({ logoPath: true }).meta({ id: 'CustomerCreated', example }),
    success: 201,
    errors: ['CUSTOMER_ALREADY_EXISTS'],
  }),
  list: defineEndpoint('GET /api/customers', access.user('customers', 'read', 'resource:customers'), {
    summary: 'List customers, newest first',
    query: paging,
    output: pageOf(Customer, 'CustomerPage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/customers/{id}', access.user('customers', 'read', 'resource:customers_id'), {
    summary: 'Get a customer',
    params: { id: Uuid },
    output: Customer,
    success: 200,
    errors: ['CUSTOMER_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/customers/{id}', access.user('customers', 'update', 'resource:customers_id'), {
    summary: 'Change the given fields of a customer',
    params: { id: Uuid },
    body: CustomerUpdate,
    output: Customer,
    success: 200,
    errors: ['CUSTOMER_NOT_FOUND'],
  }),
  remove: defineEndpoint('DELETE /api/customers/{id}', access.user('customers', 'delete', 'resource:customers_id'), {
    summary: 'Delete a customer that nothing points at',
    params: { id: Uuid },
    success: 204,
    errors: ['CUSTOMER_NOT_FOUND', 'CUSTOMER_IN_USE'],
  }),
};
