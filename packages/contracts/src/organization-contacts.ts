import { z } from 'zod';
import { access } from './access.ts';
import { Locator, pageOf, paging, Prose, Timestamp, Uuid } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';

const ContactType = z.enum(['PHONE', 'EMAIL', 'URL']).meta({ id: 'ContactType' });

export const OrganizationContact = z
  .object({
    id: Uuid,
    organizationId: Uuid,
    type: ContactType,
    description: z.string().nullable(),
    value: z.string(),
    isPrimary: z.boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'OrganizationContact',
    example: {
      id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e61',
      organizationId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
      type: 'EMAIL',
      description: 'Office',
      value: 'contato@example.com',
      isPrimary: true,
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
    },
  });

/** An address whose scheme a browser runs. It overlooks control characters and spaces before a scheme, and line breaks within. */
const runs = (value: string): boolean => /^(javascript|vbscript|data):/i.test(value.replaceAll(/[\p{Cc} ]/gu, ''));
/** No contact is worth that, whatever its type: the type may be changed without the value. */
const ContactValue = Locator.min(1).refine((value) => !runs(value), 'Not an address that runs in a browser');

/** A value must be what its type says; where only one of the two is sent there is nothing to hold it against. */
const valueFitsType = (contact: { type?: z.output<typeof ContactType> | undefined; value?: string | undefined }): boolean => {
  if (contact.type === undefined || contact.value === undefined) return true;
  if (contact.type === 'EMAIL') return z.email().safeParse(contact.value).success;
  if (contact.type === 'URL') return z.url({ protocol: /^https?$/ }).safeParse(contact.value).success;
  return true;
};
const refusal = { path: ['value'], error: 'The value is not what its type says' };

const fields = { type: ContactType, value: ContactValue, description: Prose.nullish() };
const creation = { ...fields, isPrimary: z.boolean().default(false) };

/** A contact as an organization's creation takes it. */
export const ContactFields = z.object(creation).refine(valueFitsType, refusal);

const OrganizationContactCreate = z
  .object({ organizationId: Uuid, ...creation })
  .refine(valueFitsType, refusal)
  .meta({
    id: 'OrganizationContactCreate',
    example: { organizationId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f', type: 'PHONE', value: '+55 11 5555-0000' },
  });

const OrganizationContactUpdate = z
  .object({ ...fields, isPrimary: z.boolean() })
  .partial()
  .refine(valueFitsType, refusal)
  .meta({ id: 'OrganizationContactUpdate', example: { isPrimary: true } });

export const organizationContacts = {
  create: defineEndpoint(
    'POST /api/organization-contacts',
    access.user('organization-contacts', 'create', 'resource:organization-contacts'),
    {
      summary: 'Add a contact; a primary one takes the place of the one before',
      body: OrganizationContactCreate,
      output: OrganizationContact,
      success: 201,
      errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
    },
  ),
  list: defineEndpoint('GET /api/organization-contacts', access.user('organization-contacts', 'read', 'resource:organization-contacts'), {
    summary: 'List the contacts in scope, newest first',
    query: { ...paging, organizationId: Uuid.optional(), type: ContactType.optional(), isPrimary: z.boolean().optional() },
    output: pageOf(OrganizationContact, 'OrganizationContactPage'),
    success: 200,
    errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
  }),
  get: defineEndpoint(
    'GET /api/organization-contacts/{id}',
    access.user('organization-contacts', 'read', 'resource:organization-contacts_id'),
    {
      summary: 'Get a contact in scope',
      params: { id: Uuid },
      output: OrganizationContact,
      success: 200,
      errors: ['ORGANIZATION_CONTACT_NOT_FOUND'],
    },
  ),
  update: defineEndpoint(
    'PUT /api/organization-contacts/{id}',
    access.user('organization-contacts', 'update', 'resource:organization-contacts_id'),
    {
      summary: 'Change the given fields of a contact in scope',
      params: { id: Uuid },
      body: OrganizationContactUpdate,
      output: OrganizationContact,
      success: 200,
      errors: ['ORGANIZATION_CONTACT_NOT_FOUND'],
    },
  ),
  remove: defineEndpoint(
    'DELETE /api/organization-contacts/{id}',
    access.user('organization-contacts', 'delete', 'resource:organization-contacts_id'),
    {
      summary: 'Delete a contact in scope',
      params: { id: Uuid },
      success: 204,
      errors: ['ORGANIZATION_CONTACT_NOT_FOUND'],
    },
  ),
};
