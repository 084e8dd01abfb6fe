import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { exampleIds, exampleTimestamps } from './examples.ts';
import { LongText, timestamps, Uuid } from './fields.ts';
import { createdBetween, defineList, equals, updatedSince } from './list.ts';

export const EntityType = z.enum(['DOCUMENT', 'ORGANIZATION', 'CUSTOMER', 'USER']).meta({
  id: 'AttachmentEntityType',
  description:
    'Kind of record that a file belongs to. `DOCUMENT`: the file is a document of the organization in `entityId`, and applications see it. `ORGANIZATION`, `CUSTOMER` and `USER`: another file of such a record.',
});
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

const example = { entityType: 'DOCUMENT', description: 'Estatuto social' } as const;

export const Attachment = z
  .object({
    id: Uuid.describe('Id of the attachment, set by the service.'),
    entityType: EntityType.describe('Kind of record that the file belongs to. Default: `DOCUMENT`. Cannot be changed.'),
    filePath: z
      .string()
      .describe(
        'Key of the file in the object storage, set by the service. It is not a URL: download the file with the id of the attachment.',
      ),
    originalFilename: z.string().describe('File name that the client sent with the upload.'),
    description: z.string().nullable().describe('What the file is, at most 5,000 characters in a request. Null if unknown.'),
    external: z.boolean().describe('True if another system stored the file. False for every upload to this service.'),
    entityId: Uuid.nullable().describe(
      'Id of the record that the file belongs to, of the kind in `entityType`. An organization must be in the scope of the caller; other ids are not checked. Null: the file belongs to the active tenant only.',
    ),
    userId: Uuid.describe('Id of the user who uploaded the file, set by the service.'),
    ...timestamps,
  })
  .meta({
    id: 'Attachment',
    description: 'The metadata of a file. The file itself is the response of the download.',
    example: {
      ...example,
      id: exampleIds.attachment,
      entityId: null,
      filePath: 'attachments/DOCUMENT/019bc186-de00-7b44-9d5e-0a1b2c3d4e10.pdf',
      originalFilename: 'estatuto.pdf',
      external: false,
      userId: exampleIds.user,
      ...exampleTimestamps,
    },
  });

const editable = describeLike(Attachment, { entityId: Uuid.nullable(), description: LongText.nullable() });

/** The form fields besides the file. */
const AttachmentCreate = z
  .object({ entityType: Attachment.shape.entityType.default('DOCUMENT'), ...z.object(editable).partial().shape })
  .meta({
    id: 'AttachmentCreate',
    description: 'The form of an upload: the file and its metadata.',
    // `@` and a file name is how curl and the API reference write a file of a form.
    example: { file: '@estatuto.pdf', ...example },
  });

const AttachmentUpdate = z
  .object(editable)
  .partial()
  .meta({
    id: 'AttachmentUpdate',
    description: changesOf('an attachment'),
    example: { entityId: exampleIds.organization, description: 'Estatuto social de 2026' },
  });

const params = { id: Attachment.shape.id.meta({ example: exampleIds.attachment }) };

export const attachments = {
  create: defineEndpoint('POST /api/attachments', access.user('attachments', 'create', 'resource:attachments'), {
    summary: 'Upload a file',
    description:
      'Stores the file and creates its attachment. The part `file` needs a content type of the list in its schema, and the first bytes of the file must match it. Of the samples in `/docs`, only that of Shell Curl sends the file.',
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
    ...defineList('attachment', Attachment, {
      page: 'AttachmentPage',
      sortable: ['id', 'entityType', 'originalFilename', 'external', 'entityId', 'userId', 'createdAt', 'updatedAt'],
      filters: {
        entityType: equals(EntityType, 'Only attachments that belong to this kind of record.'),
        entityId: equals(Uuid, "Only attachments of this record. The list is empty if the record is outside the caller's scope."),
        userId: equals(Uuid, 'Only attachments that the user with this id uploaded.'),
        ...createdBetween,
        ...updatedSince,
      },
    }),
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
    description: 'Changes the metadata. The file itself cannot be replaced: upload a new one.',
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
