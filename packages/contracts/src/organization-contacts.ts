import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { exportDescription, exportOf } from './export.ts';
import { exampleIds, exampleTimestamps } from './examples.ts';
import { LongText, timestamps, UrlText, Uuid } from './fields.ts';
import { defineList, equals, updatedSince } from './list.ts';

const ContactType = z.enum(['PHONE', 'EMAIL', 'URL']).meta({
  id: 'ContactType',
  description:
    'Kind of a contact. The value of an `EMAIL` must be an e-mail address, that of a `URL` an http(s) URL. That of a `PHONE` is any text.',
});

export const OrganizationContact = z
  .object({
    id: Uuid.describe('Id of the contact, set by the service.'),
    organizationId: Uuid.describe('Id of the organization. Cannot be changed.'),
    type: ContactType.describe('Kind of the contact, which decides what `value` may be.'),
    description: z.string().nullable().describe('What the contact is for, such as `Office`. Null if unknown.'),
    value: z.string().describe('Telephone number, e-mail address or URL, according to `type`. At most 2,048 characters in a request.'),
    isPrimary: z
      .boolean()
      .describe(
        'Whether this is the primary contact of the organization. There is at most one: setting it on a contact clears it on the previous one.',
      ),
    ...timestamps,
  })
  .meta({
    id: 'OrganizationContact',
    description: 'A telephone number, e-mail address or URL of an organization.',
    example: {
      id: exampleIds.contact,
      organizationId: exampleIds.organization,
      type: 'EMAIL',
      description: 'Office',
      value: 'contato@example.com',
      isPrimary: true,
      ...exampleTimestamps,
    },
  });

/**
 * Detects URLs that a browser executes. Browsers ignore control characters and spaces before the scheme, and line breaks in it. A frontend may trim other white
 * space.
 */
const isScriptUrl = (value: string): boolean => /^(javascript|vbscript|data):/i.test(value.replaceAll(/[\p{Cc}\s]/gu, ''));
/** Rejects script URLs for every type, since a later PUT may change the type alone. */
const ContactValue = UrlText.min(1).refine(
  (value) => !isScriptUrl(value),
  'URLs with the scheme javascript, vbscript or data are not allowed',
);

const EmailValue = z.email();
const UrlValue = z.url({ protocol: /^https?$/ });

/** Checks the value against the type. A PUT that sends only one of the two is not checked. */
const valueMatchesType = (contact: { type?: z.output<typeof ContactType> | undefined; value?: string | undefined }): boolean => {
  if (contact.type === undefined || contact.value === undefined) return true;
  if (contact.type === 'EMAIL') return EmailValue.safeParse(contact.value).success;
  if (contact.type === 'URL') return UrlValue.safeParse(contact.value).success;
  return true;
};
const typeMismatch = { path: ['value'], error: 'Expected a valid e-mail address for type EMAIL, or an http(s) URL for type URL' };

const fields = describeLike(OrganizationContact, { type: ContactType, value: ContactValue, description: LongText.nullish() });
const { organizationId, isPrimary } = OrganizationContact.shape;
const createFields = { ...fields, isPrimary: isPrimary.default(false) };

/** A contact in the request that creates an organization. */
export const ContactFields = z.object(createFields).refine(valueMatchesType, typeMismatch);

const OrganizationContactCreate = z
  .object({ organizationId, ...createFields })
  .refine(valueMatchesType, typeMismatch)
  .meta({
    id: 'OrganizationContactCreate',
    description: 'Fields of a new contact.',
    example: {
      organizationId: exampleIds.organization,
      type: 'EMAIL',
      description: 'Office',
      value: 'contato@example.com',
      isPrimary: true,
    },
  });

const OrganizationContactUpdate = z
  .object({ ...fields, isPrimary })
  .partial()
  .refine(valueMatchesType, typeMismatch)
  .meta({ id: 'OrganizationContactUpdate', description: changesOf('a contact'), example: { description: null, isPrimary: true } });

const params = { id: OrganizationContact.shape.id.meta({ example: exampleIds.contact }) };

const listing = defineList('organizationContact', OrganizationContact, {
  page: 'OrganizationContactPage',
  sortable: ['id', 'organizationId', 'type', 'isPrimary', 'createdAt', 'updatedAt'],
  filters: {
    organizationId: equals(Uuid, "Only contacts of this organization. It must be in the caller's scope."),
    type: equals(ContactType, 'Only contacts of this kind.'),
    isPrimary: equals(z.boolean(), 'Only primary contacts (`true`), or only others (`false`).'),
    ...updatedSince,
  },
});

export const organizationContacts = {
  create: defineEndpoint(
    'POST /api/organization-contacts',
    access.user('organization-contacts', 'create', 'resource:organization-contacts'),
    {
      summary: 'Create an organization contact',
      description: 'If the new contact is primary, the previous primary contact is kept, but is no longer primary.',
      body: OrganizationContactCreate,
      output: OrganizationContact,
      success: 201,
      versioned: 'organizationContact',
      events: ['organizationContact.created'],
      errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
    },
  ),
  list: defineEndpoint('GET /api/organization-contacts', access.user('organization-contacts', 'read', 'resource:organization-contacts'), {
    summary: 'List organization contacts',
    description: "Newest first. Contains the contacts of the organizations in the caller's scope.",
    ...listing,
    errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
  }),
  export: defineEndpoint(
    'GET /api/organization-contacts/export',
    access.user('organization-contacts', 'read', 'resource:organization-contacts'),
    {
      summary: 'Export organization contacts',
      description: exportDescription,
      ...exportOf(listing, OrganizationContact),
      errors: ['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_NOT_FOUND'],
    },
  ),
  get: defineEndpoint(
    'GET /api/organization-contacts/{id}',
    access.user('organization-contacts', 'read', 'resource:organization-contacts_id'),
    {
      summary: 'Get an organization contact',
      description: "A contact outside the caller's scope is 404.",
      params,
      output: OrganizationContact,
      success: 200,
      versioned: 'organizationContact',
      errors: ['ORGANIZATION_CONTACT_NOT_FOUND'],
    },
  ),
  update: defineEndpoint(
    'PUT /api/organization-contacts/{id}',
    access.user('organization-contacts', 'update', 'resource:organization-contacts_id'),
    {
      summary: 'Update an organization contact',
      description: 'The value is checked against the type if both are sent.',
      params,
      body: OrganizationContactUpdate,
      output: OrganizationContact,
      success: 200,
      versioned: 'organizationContact',
      events: ['organizationContact.updated'],
      errors: ['ORGANIZATION_CONTACT_NOT_FOUND'],
    },
  ),
  remove: defineEndpoint(
    'DELETE /api/organization-contacts/{id}',
    access.user('organization-contacts', 'delete', 'resource:organization-contacts_id'),
    {
      summary: 'Delete an organization contact',
      description: 'If it was the primary contact, the organization has none afterwards.',
      params,
      success: 204,
      versioned: 'organizationContact',
      events: ['organizationContact.deleted'],
      errors: ['ORGANIZATION_CONTACT_NOT_FOUND'],
    },
  ),
};
