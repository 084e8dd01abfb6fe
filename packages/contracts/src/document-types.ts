import { z } from 'zod';
import { access } from './access.ts';
import { Name, pageOf, paging, PartOfLine, Prose, Timestamp, Uuid } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';

export const DocumentType = z
  .object({
    id: Uuid,
    name: z.string(),
    isRequired: z.boolean(),
    description: z.string().nullable(),
    requiresApproval: z.boolean(),
    hasExpiration: z.boolean(),
    defaultValidityDays: z.int32().nullable(),
    hasAuthenticityCode: z.boolean(),
    isActive: z.boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
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

const fields = {
  isRequired: z.boolean(),
  description: Prose.nullable(),
  requiresApproval: z.boolean(),
  hasExpiration: z.boolean(),
  defaultValidityDays: z.int32().min(1).nullable(),
  hasAuthenticityCode: z.boolean(),
  isActive: z.boolean(),
};

const DocumentTypeCreate = z
  .object({
    name: Name,
    isRequired: fields.isRequired.default(false),
    description: fields.description.optional(),
    requiresApproval: fields.requiresApproval.default(false),
    hasExpiration: fields.hasExpiration.default(false),
    defaultValidityDays: fields.defaultValidityDays.optional(),
    hasAuthenticityCode: fields.hasAuthenticityCode.default(false),
    isActive: fields.isActive.default(true),
  })
  .refine(({ hasExpiration, defaultValidityDays }) => hasExpiration || defaultValidityDays == null, {
    path: ['defaultValidityDays'],
    error: 'A document type without expiration has no validity',
  })
  .meta({ id: 'DocumentTypeCreate', example: { name: 'Alvará', hasExpiration: true, defaultValidityDays: 365 } });

const DocumentTypeUpdate = z
  .object({ name: Name, ...fields })
  .partial()
  .meta({ id: 'DocumentTypeUpdate', example: { hasExpiration: false } });

export const documentTypes = {
  create: defineEndpoint('POST /api/document-types', access.user('document-types', 'create', 'resource:document-types'), {
    summary: 'Create a document type',
    body: DocumentTypeCreate,
    output: DocumentType,
    success: 201,
    errors: ['DOCUMENT_TYPE_ALREADY_EXISTS'],
  }),
  list: defineEndpoint('GET /api/document-types', access.user('document-types', 'read', 'resource:document-types'), {
    summary: 'List document types, newest first',
    query: {
      ...paging,
      name: PartOfLine.describe('Contained in the name, without regard to case and accents'),
      isActive: z.boolean().optional(),
      isRequired: z.boolean().optional(),
    },
    output: pageOf(DocumentType, 'DocumentTypePage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/document-types/{id}', access.user('document-types', 'read', 'resource:document-types_id'), {
    summary: 'Get a document type',
    params: { id: Uuid },
    output: DocumentType,
    success: 200,
    errors: ['DOCUMENT_TYPE_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/document-types/{id}', access.user('document-types', 'update', 'resource:document-types_id'), {
    summary: 'Change the given fields of a document type',
    params: { id: Uuid },
    body: DocumentTypeUpdate,
    output: DocumentType,
    success: 200,
    errors: ['DOCUMENT_TYPE_NOT_FOUND', 'DOCUMENT_TYPE_ALREADY_EXISTS'],
  }),
  remove: defineEndpoint('DELETE /api/document-types/{id}', access.user('document-types', 'delete', 'resource:document-types_id'), {
    summary: 'Delete a document type',
    params: { id: Uuid },
    success: 204,
    errors: ['DOCUMENT_TYPE_NOT_FOUND'],
  }),
};
