import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { exampleIds, exampleTimestamps } from './examples.ts';
import { LongText, Name, timestamps, Uuid } from './fields.ts';
import { defineList, equals, nameContains, updatedSince } from './list.ts';

export const DocumentType = z
  .object({
    id: Uuid.describe('Id of the document type, set by the service.'),
    name: z.string().describe('Unique name, 1 to 255 characters in a request.'),
    isRequired: z.boolean().describe('Whether an organization must have a document of this type. The service does not enforce it.'),
    description: z.string().nullable().describe('What documents of this type contain. Null if unknown.'),
    requiresApproval: z.boolean().describe('Whether somebody must approve documents of this type. The service does not enforce it.'),
    hasExpiration: z.boolean().describe('Whether documents of this type expire. If false, `defaultValidityDays` is null.'),
    defaultValidityDays: z
      .int32()
      .nullable()
      .describe('Days for which a document is valid by default, 1 or more. Null if there is no default, or if `hasExpiration` is false.'),
    hasAuthenticityCode: z.boolean().describe('Whether documents of this type have a code with which their issuer confirms them.'),
    isActive: z.boolean().describe('Whether your frontend offers the type for new documents. The service does not act on it.'),
    ...timestamps,
  })
  .meta({
    id: 'DocumentType',
    description: 'A type of document, shared by all tenants. Its flags are for your frontend: the service stores them only.',
    example: {
      id: exampleIds.documentType,
      name: 'Alvará de funcionamento',
      isRequired: true,
      description: null,
      requiresApproval: false,
      hasExpiration: true,
      defaultValidityDays: 365,
      hasAuthenticityCode: false,
      isActive: true,
      ...exampleTimestamps,
    },
  });

const editable = describeLike(DocumentType, {
  name: Name,
  isRequired: z.boolean(),
  description: LongText.nullable(),
  requiresApproval: z.boolean(),
  hasExpiration: z.boolean(),
  defaultValidityDays: z.int32().min(1).nullable(),
  hasAuthenticityCode: z.boolean(),
  isActive: z.boolean(),
});

const DocumentTypeCreate = z
  .object({
    name: editable.name,
    isRequired: editable.isRequired.default(false),
    description: editable.description.optional(),
    requiresApproval: editable.requiresApproval.default(false),
    hasExpiration: editable.hasExpiration.default(false),
    defaultValidityDays: editable.defaultValidityDays.optional(),
    hasAuthenticityCode: editable.hasAuthenticityCode.default(false),
    isActive: editable.isActive.default(true),
  })
  .refine(({ hasExpiration, defaultValidityDays }) => hasExpiration || defaultValidityDays == null, {
    path: ['defaultValidityDays'],
    error: 'Must be null or absent when hasExpiration is false',
  })
  .meta({
    id: 'DocumentTypeCreate',
    description: 'Fields of a new document type.',
    example: { name: 'Alvará de funcionamento', isRequired: true, hasExpiration: true, defaultValidityDays: 365 },
  });

const DocumentTypeUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'DocumentTypeUpdate', description: changesOf('a document type'), example: { description: null, hasExpiration: false } });

const params = { id: DocumentType.shape.id.meta({ example: exampleIds.documentType }) };

export const documentTypes = {
  create: defineEndpoint('POST /api/document-types', access.user('document-types', 'create', 'resource:document-types'), {
    summary: 'Create a document type',
    description: 'The type is available to all tenants.',
    body: DocumentTypeCreate,
    output: DocumentType,
    success: 201,
    versioned: 'documentType',
    events: ['documentType.created'],
    errors: ['DOCUMENT_TYPE_ALREADY_EXISTS'],
  }),
  list: defineEndpoint('GET /api/document-types', access.user('document-types', 'read', 'resource:document-types'), {
    summary: 'List document types',
    description: 'Newest first. The types are the same for all tenants.',
    ...defineList('documentType', DocumentType, {
      page: 'DocumentTypePage',
      sortable: [
        'id',
        'name',
        'isRequired',
        'requiresApproval',
        'hasExpiration',
        'defaultValidityDays',
        'hasAuthenticityCode',
        'isActive',
        'createdAt',
        'updatedAt',
      ],
      filters: {
        name: nameContains('document types'),
        isActive: equals(z.boolean(), 'Only active document types (`true`), or only inactive ones (`false`).'),
        isRequired: equals(z.boolean(), 'Only required document types (`true`), or only optional ones (`false`).'),
        requiresApproval: equals(z.boolean(), 'Only document types that require approval (`true`), or only others (`false`).'),
        hasExpiration: equals(z.boolean(), 'Only document types that expire (`true`), or only others (`false`).'),
        hasAuthenticityCode: equals(z.boolean(), 'Only document types with an authenticity code (`true`), or only others (`false`).'),
        ...updatedSince,
      },
    }),
  }),
  get: defineEndpoint('GET /api/document-types/{id}', access.user('document-types', 'read', 'resource:document-types_id'), {
    summary: 'Get a document type',
    description: 'Returns an active or an inactive type.',
    params,
    output: DocumentType,
    success: 200,
    versioned: 'documentType',
    errors: ['DOCUMENT_TYPE_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/document-types/{id}', access.user('document-types', 'update', 'resource:document-types_id'), {
    summary: 'Update a document type',
    description: 'Setting `hasExpiration` to false also sets `defaultValidityDays` to null.',
    params,
    body: DocumentTypeUpdate,
    output: DocumentType,
    success: 200,
    versioned: 'documentType',
    events: ['documentType.updated'],
    errors: ['DOCUMENT_TYPE_NOT_FOUND', 'DOCUMENT_TYPE_ALREADY_EXISTS'],
  }),
  remove: defineEndpoint('DELETE /api/document-types/{id}', access.user('document-types', 'delete', 'resource:document-types_id'), {
    summary: 'Delete a document type',
    description: 'No record of this service refers to document types, so a type can always be deleted.',
    params,
    success: 204,
    versioned: 'documentType',
    events: ['documentType.deleted'],
    errors: ['DOCUMENT_TYPE_NOT_FOUND'],
  }),
};
