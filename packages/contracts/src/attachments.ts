import { z } from 'zod';
import { access } from './access.ts';
import { createdBetween, pageOf, paging, Prose, Timestamp, Uuid } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';

/** What an attachment may belong to (decisions, part 3). */
export const EntityType = z.enum(['DOCUMENT', 'ORGANIZATION', 'CUSTOMER', 'USER']).meta({ id: 'AttachmentEntityType' });
export type EntityType = z.output<typeof EntityType>;

/** The content types of specification 4.14, with the extension of the stored file. */
export const attachmentTypes = {
  'image/jpg': 'jpg',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
} as const;
export type AttachmentType = keyof typeof attachmentTypes;
const fileTypes = Object.keys(attachmentTypes);

const example = {
  entityType: 'DOCUMENT',
  entityId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
  description: 'Estatuto social',
} as const;

export const Attachment = z
  .object({
    id: Uuid,
    entityType: EntityType,
    filePath: z.string().describe('Key in the object storage, which has no public address'),
    originalFilename: z.string(),
    description: z.string().nullable(),
    external: z.boolean().describe('Whether the file was not uploaded by a user of this service'),
    entityId: Uuid.nullable().describe('What the file belongs to'),
    userId: Uuid.describe('Who uploaded it'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Attachment',
    example: {
      ...example,
      id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e63',
      filePath: 'attachments/DOCUMENT/01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e64.pdf',
      originalFilename: 'estatuto.pdf',
      external: false,
      userId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e65',
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
    },
  });

const editable = { entityId: Uuid.nullable(), description: Prose.nullable() };

/** The fields that go with the file. */
const AttachmentCreate = z
  .object({ entityType: EntityType.default('DOCUMENT'), ...z.object(editable).partial().shape })
  .meta({ id: 'AttachmentCreate', example: { file: '(the bytes of the file)', ...example } });

const AttachmentUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'AttachmentUpdate', example: { description: 'Estatuto social' } });

export const attachments = {
  create: defineEndpoint('POST /api/attachments', access.user('attachments', 'create', 'resource:attachments'), {
    summary: 'Upload a file',
    media: 'upload',
    fileTypes,
    body: AttachmentCreate,
    output: Attachment,
    success: 201,
    errors: ['NOT_ALLOWED_ORGANIZATION', 'InvalidAttachmentTypeError', 'FailedToUploadFileError'],
  }),
  list: defineEndpoint('GET /api/attachments', access.user('attachments', 'read', 'resource:attachments'), {
    summary: 'List the attachments in scope, newest first, without the files',
    query: {
      ...paging,
      entityType: EntityType.optional(),
      entityId: Uuid.optional().describe('What they belong to; outside the scope there are none'),
      userId: Uuid.optional().describe('Who uploaded them'),
      ...createdBetween,
    },
    output: pageOf(Attachment, 'AttachmentPage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/attachments/{id}', access.user('attachments', 'read', 'resource:attachments_id'), {
    summary: 'Download the file of an attachment in scope',
    media: 'download',
    requestHeaders: ['Range', 'If-Range', 'If-None-Match'],
    responseHeaders: {
      200: ['Accept-Ranges', 'Content-Disposition', 'ETag'],
      206: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'],
      304: ['ETag'],
      416: ['Content-Range'],
    },
    fileTypes,
    params: { id: Uuid },
    success: 200,
    errors: ['ATTACHMENT_NOT_FOUND', 'FailedToDownloadFileError'],
  }),
  update: defineEndpoint('PUT /api/attachments/{id}', access.user('attachments', 'update', 'resource:attachments_id'), {
    summary: 'Change the given fields of an attachment in scope; its file stays',
    params: { id: Uuid },
    body: AttachmentUpdate,
    output: Attachment,
    success: 200,
    errors: ['ATTACHMENT_NOT_FOUND', 'NOT_ALLOWED_ORGANIZATION'],
  }),
  remove: defineEndpoint('DELETE /api/attachments/{id}', access.user('attachments', 'delete', 'resource:attachments_id'), {
    summary: 'Delete an attachment (soft) and its file',
    params: { id: Uuid },
    success: 204,
    errors: ['ATTACHMENT_NOT_FOUND'],
  }),
};
