import { z } from 'zod';
import { access, personas } from './access.ts';
import { changesOf, describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { exportDescription, exportOf } from './export.ts';
import { exampleIds, exampleTimestamps } from './examples.ts';
import { Cpf, Email, Name, ShortText, timestamps, Uuid } from './fields.ts';
import { contains, defineList, equals, nameContains, own, updatedSince } from './list.ts';

export const userTypes = ['Admin', 'Coordinator', 'Technician', 'Cooperative', 'Global'] as const;
const UserType = z.enum(userTypes).meta({
  id: 'UserType',
  description:
    'Kind of user on the whole platform. `Global` gives access to all tenants. The other kinds are labels: they give no permissions.',
});
export type UserType = z.output<typeof UserType>;

export const Persona = z.enum(personas).meta({
  id: 'Persona',
  description:
    'Role of a user in one tenant. `tenant-admin` manages organizations and their data, `coordinator` and `technician` edit, `viewer` only reads. Each operation states its personas.',
});

const person = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  federalTaxId: '24843803480',
  type: 'Coordinator',
  jobTitle: 'Field coordinator',
};

export const User = z
  .object({
    id: Uuid.describe('Id of the user, set by the service.'),
    idIdentity: z
      .string()
      .describe('Subject (`sub`) of the user in tokens of the identity provider, which differs from `id`. Unique; set by the service.'),
    name: z.string().describe('Full name, 1 to 255 characters in a request.'),
    email: z.string().describe('E-mail address, with which the user logs in. Unique; stored trimmed and in lower case.'),
    federalTaxId: z
      .string()
      .describe('Personal tax id (CPF): 11 digits with valid check digits, without punctuation. Unique; cannot be changed.'),
    type: UserType.describe(
      'Kind of user on the whole platform. Only `Global` gives access; what other users may do depends on their persona in each tenant.',
    ),
    jobTitle: z.string().nullable().describe('Job title as text, which has no effect on permissions. Null if unknown.'),
    customerId: Uuid.nullable().describe('Id of the customer that the user works for. It gives no permissions. Null if there is none.'),
    ...timestamps,
  })
  .meta({
    id: 'User',
    description: 'A person with a profile in this service and an identity at the identity provider.',
    example: {
      id: exampleIds.user,
      idIdentity: '8f14e45f-ceea-467f-a0e6-5b2c7d1e9a10',
      ...person,
      customerId: null,
      ...exampleTimestamps,
    },
  });

const UserCreate = z
  .object(
    describeLike(User, {
      name: Name,
      email: Email,
      federalTaxId: Cpf,
      type: UserType,
      jobTitle: ShortText.nullish(),
      customerId: Uuid.nullish(),
    }),
  )
  .meta({
    id: 'UserCreate',
    description: 'Fields of a new user.',
    example: {
      ...person,
    },
  });

const UserUpdate = z
  .object(
    describeLike(User, {
      name: Name,
      email: Email,
      type: UserType,
      jobTitle: ShortText.nullable(),
      customerId: Uuid.nullable(),
    }),
  )
  .partial()
  .meta({ id: 'UserUpdate', description: changesOf('a user'), example: { name: 'Ana Souza Lima', jobTitle: null } });

const ServiceUserType = UserType.exclude(['Global']).meta({
  id: 'ServiceUserType',
  description: 'Kind of user that an application provisions: every UserType except `Global`.',
});

const ServiceUserCreate = z
  .object({
    ...describeLike(User, { name: Name, email: Email, federalTaxId: Cpf, jobTitle: ShortText.nullish() }),
    type: ServiceUserType.describe('Kind of user on the whole platform, a label without permissions.'),
    persona: Persona.describe("Role of the user in the token's tenant. It replaces that of an existing membership."),
  })
  .meta({
    id: 'ServiceUserCreate',
    description: "A user to provision, with the persona in the token's tenant.",
    example: {
      ...person,
      persona: 'coordinator',
    },
  });

const params = { id: User.shape.id.meta({ example: exampleIds.user }) };

const listing = defineList('user', User, {
  page: 'UserPage',
  sortable: ['id', 'idIdentity', 'name', 'email', 'federalTaxId', 'type', 'jobTitle', 'customerId', 'createdAt', 'updatedAt'],
  filters: {
    name: nameContains('users'),
    email: contains('Only users whose e-mail address contains this text. Ignores case.'),
    search: own(
      ShortText,
      'Only users whose name or e-mail address contains this text. Ignores case, accents, and the kind of apostrophes, dashes and blanks.',
    ),
    type: equals(UserType, 'Only users of this kind.'),
    customerId: equals(Uuid, 'Only users of this customer.'),
    tenantId: own(Uuid, 'Only members of this tenant.'),
    persona: own(Persona, 'Only members with this persona, in the tenant `tenantId` or in any tenant.'),
    ...updatedSince,
  },
});

export const users = {
  create: defineEndpoint('POST /api/users', access.user('users', 'create', 'resource:users'), {
    summary: 'Create a user',
    description:
      'Links the identity with this e-mail address at the identity provider, or creates one and sends an e-mail to set a password. The user is created even if that e-mail cannot be sent. Only a Global user can create a Global user.',
    body: UserCreate,
    output: User,
    success: 201,
    versioned: 'user',
    events: ['user.created'],
    reachesIdentityProvider: true,
    errors: ['USER_ALREADY_EXISTS', 'IDENTITY_ALREADY_LINKED', 'CUSTOMER_NOT_FOUND'],
  }),
  list: defineEndpoint('GET /api/users', access.user('users', 'read', 'resource:users'), {
    summary: 'List users',
    description:
      'Newest first, without deleted users. To list the members of one tenant with their personas, use `/api/tenants/{tenantId}/users`.',
    ...listing,
  }),
  export: defineEndpoint('GET /api/users/export', access.user('users', 'read', 'resource:users'), {
    summary: 'Export users',
    description: exportDescription,
    ...exportOf(listing, User),
  }),
  get: defineEndpoint('GET /api/users/{id}', access.user('users', 'read', 'resource:users_id'), {
    summary: 'Get a user',
    description: 'A deleted user is 404.',
    params,
    output: User,
    success: 200,
    versioned: 'user',
    errors: ['USER_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/users/{id}', access.user('users', 'update', 'resource:users_id'), {
    summary: 'Update a user',
    description:
      'The e-mail address of the identity at the identity provider is not changed. Only a Global user can change a Global user or make a user Global.',
    params,
    body: UserUpdate,
    output: User,
    success: 200,
    versioned: 'user',
    events: ['user.updated'],
    errors: ['USER_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'USER_ALREADY_EXISTS'],
  }),
  remove: defineEndpoint('DELETE /api/users/{id}', access.user('users', 'delete', 'resource:users_id'), {
    summary: 'Delete a user',
    description:
      'Soft-deletes the user. The identity at the identity provider is not changed. Only a Global user can delete a Global user.',
    params,
    success: 204,
    versioned: 'user',
    events: ['user.deleted'],
    errors: ['USER_NOT_FOUND'],
  }),
};

export const serviceUsers = {
  create: defineEndpoint('POST /service/users', access.service, {
    summary: 'Provision a user',
    description:
      'The tenant is that of the token. Creates the user, unless one has both this tax id and this e-mail address, and assigns the persona in the tenant. A repeated request returns 201 with the same user.',
    body: ServiceUserCreate,
    output: User,
    success: 201,
    versioned: 'user',
    events: ['user.created', 'membership.created', 'membership.updated'],
    reachesIdentityProvider: true,
    errors: ['IDENTITY_ALREADY_LINKED', 'USER_DATA_MISMATCH'],
  }),
};
