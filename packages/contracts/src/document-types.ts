import { z } from 'zod';
import { access } from './access.ts';
import { describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { LongText, Name, pageOf, paging, TextFilter, timestamps, Uuid } from './fields.ts';

export const DocumentType = z
  .object({
    id: Uuid.describe('Id of the document type.'),
    name: z.string().describe('Name of the document type. Unique.'),
    isRequired: z.boolean().describe('Whether a document of this type is required.'),
    description: z.string().nullable().describe('Description of the document type.'),
    requiresApproval: z.boolean().describe('Whether documents of this type need an approval.'),
    hasExpiration: z.boolean().describe('Whether documents of this type expire.'),
    defaultValidityDays: z
      .int32()
      .nullable()
      .describe('Days for which a document is valid by default. Null when `hasExpiration` is false.'),
    hasAuthenticityCode: z.boolean().describe('Whether documents of this type carry an authenticity code.'),
    isActive: z.boolean().describe('Whether the document type is in use.'),
    ...timestamps,
  })
  .meta({
    id: 'DocumentType',
    example: {
      id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e62',
      name: 'Alvará',
      isRequired: true,
      description: null,
      requiresApproval: false,
      hasExpiration: true,
      defaultValidityDays: 365,
      hasAuthenticityCode: false,
      isActive: true,
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
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
  .meta({ id: 'DocumentTypeCreate', example: { name: 'Alvará', hasExpiration: true, defaultValidityDays: 365 } });

const DocumentTypeUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'DocumentTypeUpdate', example: { hasExpiration: false } });

const params = { id: DocumentType.shape.id };

export const documentTypes = {
  create: defineEndpoint('POST /api/document-types', access.user('document-types', 'create', 'resource:document-types'), {
    summary: 'Create a document type',
    body: DocumentTypeCreate,
    output: DocumentType,
    success: 201,
    versioned: 'documentType',
    events: ['documentType.created'],
    errors: ['DOCUMENT_TYPE_ALREADY_EXISTS'],
  }),
  list: defineEndpoint('GET /api/document-types', access.user('document-types', 'read', 'resource:document-types'), {
    summary: 'List document types',
    description: 'Newest first.',
    query: {
      ...paging,
      name: TextFilter.describe('Only document types whose name contains this text. Ignores case and accents.'),
      isActive: z.boolean().optional().describe('Only document types with this `isActive`.'),
      isRequired: z.boolean().optional().describe('Only document types with this `isRequired`.'),
    },
    output: pageOf(DocumentType, 'DocumentTypePage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/document-types/{id}', access.user('document-types', 'read', 'resource:document-types_id'), {
    summary: 'Get a document type',
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
    params,
    success: 204,
    versioned: 'documentType',
    events: ['documentType.deleted'],
    errors: ['DOCUMENT_TYPE_NOT_FOUND'],
  }),
};
