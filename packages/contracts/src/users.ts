import { z } from 'zod';
import { access, personas } from './access.ts';
import { Cpf, Email, Line, Name, pageOf, paging, PartOfLine, Timestamp, Uuid } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';

export const userTypes = ['Admin', 'Coordinator', 'Technician', 'Cooperative', 'Global'] as const;
export const UserType = z.enum(userTypes).meta({ id: 'UserType' });
export type UserType = z.output<typeof UserType>;

export const Persona = z.enum(personas).meta({ id: 'Persona' });

export const User = z
  .object({
    id: Uuid,
    idIdentity: z.string().describe("The identity provider's subject"),
    name: z.string(),
    email: z.string(),
    federalTaxId: z.string().describe('CPF'),
    type: UserType,
    jobTitle: z.string().nullable(),
    customerId: Uuid.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'User',
    example: {
      id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
      idIdentity: '8f14e45f-ceea-467f-a0e6-5b2c7d1e9a10',
      name: 'Ana Souza',
      email: 'ana@example.com',
      federalTaxId: '52998224725',
      type: 'Coordinator',
      jobTitle: 'Field coordinator',
      customerId: null,
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
    },
  });

const UserCreate = z
  .object({
    name: Name,
    email: Email,
    federalTaxId: Cpf,
    type: UserType,
    jobTitle: Line.nullish(),
    customerId: Uuid.nullish(),
  })
  .meta({ id: 'UserCreate', example: { name: 'Ana Souza', email: 'ana@example.com', federalTaxId: '52998224725', type: 'Coordinator' } });

const UserUpdate = z
  .object({
    name: Name,
    email: Email,
    type: UserType,
    jobTitle: Line.nullable(),
    customerId: Uuid.nullable(),
  })
  .partial()
  .meta({ id: 'UserUpdate', example: { jobTitle: null } });

const ServiceUserCreate = z
  .object({
    name: Name,
    email: Email,
    federalTaxId: Cpf,
    type: UserType.exclude(['Global']).meta({ id: 'ServiceUserType' }),
    persona: Persona,
    jobTitle: Line.nullish(),
  })
  .meta({
    id: 'ServiceUserCreate',
    example: { name: 'Ana Souza', email: 'ana@example.com', federalTaxId: '52998224725', type: 'Technician', persona: 'technician' },
  });

export const users = {
  create: defineEndpoint('POST /api/users', access.user('users', 'create', 'resource:users'), {
    summary: 'Create a user and, where there is none, their identity',
    body: UserCreate,
    output: User,
    success: 201,
    reachesIdentityProvider: true,
    errors: ['USER_ALREADY_EXISTS', 'IDENTITY_ALREADY_LINKED', 'CUSTOMER_NOT_FOUND'],
  }),
  list: defineEndpoint('GET /api/users', access.user('users', 'read', 'resource:users'), {
    summary: 'List users, newest first',
    query: {
      ...paging,
      name: PartOfLine.describe('Contained in the name, without regard to case and accents'),
      email: PartOfLine.describe('Contained in the e-mail'),
      type: UserType.optional(),
      customerId: Uuid.optional(),
    },
    output: pageOf(User, 'UserPage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/users/{id}', access.user('users', 'read', 'resource:users_id'), {
    summary: 'Get a user',
    params: { id: Uuid },
    output: User,
    success: 200,
    errors: ['USER_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/users/{id}', access.user('users', 'update', 'resource:users_id'), {
    summary: 'Change the given fields of a user',
    params: { id: Uuid },
    body: UserUpdate,
    output: User,
    success: 200,
    errors: ['USER_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'USER_ALREADY_EXISTS'],
  }),
  remove: defineEndpoint('DELETE /api/users/{id}', access.user('users', 'delete', 'resource:users_id'), {
    summary: 'Delete a user (soft); the identity at the provider stays',
    params: { id: Uuid },
    success: 204,
    errors: ['USER_NOT_FOUND'],
  }),
};

export const serviceUsers = {
  create: defineEndpoint('POST /service/users', access.service, {
    summary: "Provision a user and link them to the token's tenant; idempotent",
    body: ServiceUserCreate,
    output: User,
    success: 201,
    reachesIdentityProvider: true,
    errors: ['IDENTITY_ALREADY_LINKED', 'USER_DATA_MISMATCH'],
  }),
};
