import { z } from 'zod';
import { access } from './access.ts';
import { describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { createdBetween, LongText, pageOf, paging, timestamps, Uuid } from './fields.ts';

export const EntityType = z
  .enum(['DOCUMENT', 'ORGANIZATION', 'CUSTOMER', 'USER'])
  .meta({ id: 'AttachmentEntityType', description: 'Kind of record that a file belongs to. DOCUMENT: a document of an organization.' });
export type EntityType = z.output<typeof EntityType>;

/** The content types of uploads, with the extension of the stored file. */
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
    id: Uuid.describe('Id of the attachment.'),
    entityType: EntityType.describe('Kind of record that the file belongs to.'),
    filePath: z.string().describe('Key of the file in the object storage. The storage has no public URL: download the file by the id.'),
    originalFilename: z.string().describe('File name that the client sent.'),
    description: z.string().nullable().describe('Description of the file.'),
    external: z.boolean().describe('True if the file was not uploaded by a user of this service.'),
    entityId: Uuid.nullable().describe('Id of the record that the file belongs to.'),
    userId: Uuid.describe('Id of the user who uploaded the file.'),
    ...timestamps,
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

const editable = describeLike(Attachment, { entityId: Uuid.nullable(), description: LongText.nullable() });

/** The form fields besides the file. */
const AttachmentCreate = z
  .object({ entityType: Attachment.shape.entityType.default('DOCUMENT'), ...z.object(editable).partial().shape })
  .meta({ id: 'AttachmentCreate', example: { file: '(the bytes of the file)', ...example } });

const AttachmentUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'AttachmentUpdate', example: { description: 'Estatuto social' } });

const params = { id: Attachment.shape.id };

export const attachments = {
  create: defineEndpoint('POST /api/attachments', access.user('attachments', 'create', 'resource:attachments'), {
    summary: 'Upload a file',
    description: 'Stores the file and creates its attachment. The first bytes of the file must match its content type.',
    media: 'upload',
    fileTypes,
    body: AttachmentCreate,
    output: Attachment,
    success: 201,
    versioned: 'attachment',
    events: ['attachment.created'],
    errors: ['NOT_ALLOWED_ORGANIZATION', 'InvalidAttachmentTypeError', 'FailedToUploadFileError'],
  }),
  list: defineEndpoint('GET /api/attachments', access.user('attachments', 'read', 'resource:attachments'), {
    summary: 'List attachments',
    description: "Newest first, without the files. Contains the attachments in the caller's scope.",
    query: {
      ...paging,
      entityType: EntityType.optional().describe('Only attachments of this kind of record.'),
      entityId: Uuid.optional().describe("Only attachments of this record. The list is empty if the record is outside the caller's scope."),
      userId: Uuid.optional().describe('Only attachments that this user uploaded.'),
      ...createdBetween,
    },
    output: pageOf(Attachment, 'AttachmentPage'),
    success: 200,
  }),
  get: defineEndpoint('GET /api/attachments/{id}', access.user('attachments', 'read', 'resource:attachments_id'), {
    summary: 'Download a file',
    description: 'Returns the content of the file. Supports a single byte range and conditional requests by ETag.',
    media: 'download',
    requestHeaders: ['Range', 'If-Range'],
    responseHeaders: {
      200: ['Accept-Ranges', 'Content-Disposition'],
      206: ['Accept-Ranges', 'Content-Disposition', 'Content-Range'],
      416: ['Content-Range'],
    },
    fileTypes,
    params,
    success: 200,
    versioned: 'attachment',
    errors: ['ATTACHMENT_NOT_FOUND', 'FailedToDownloadFileError'],
  }),
  update: defineEndpoint('PUT /api/attachments/{id}', access.user('attachments', 'update', 'resource:attachments_id'), {
    summary: 'Update an attachment',
    description: 'The file itself cannot be replaced.',
    params,
    body: AttachmentUpdate,
    output: Attachment,
    success: 200,
    versioned: 'attachment',
    events: ['attachment.updated'],
    errors: ['ATTACHMENT_NOT_FOUND', 'NOT_ALLOWED_ORGANIZATION'],
  }),
  remove: defineEndpoint('DELETE /api/attachments/{id}', access.user('attachments', 'delete', 'resource:attachments_id'), {
    summary: 'Delete an attachment',
    description: 'Soft-deletes the attachment and removes its file from the storage.',
    params,
    success: 204,
    versioned: 'attachment',
    events: ['attachment.deleted'],
    errors: ['ATTACHMENT_NOT_FOUND'],
  }),
};
