import { z } from 'zod';
import { access } from './access.ts';
import { Attachment } from './attachments.ts';
import { defineEndpoint } from './endpoint.ts';
import { exampleIds, exampleTimestamps } from './examples.ts';
import { timestamps, Uuid } from './fields.ts';
import { createdBetween, defineList, equals, updatedSince } from './list.ts';

/** An attachment of entityType DOCUMENT that belongs to an organization. */
export const Document = z
  .object({
    id: Uuid.describe('Id of the document, which is also the id of its attachment.'),
    organizationId: Uuid.describe('Id of the organization: the `entityId` of the attachment.'),
    ...Attachment.pick({ originalFilename: true, description: true, external: true }).shape,
    contentType: z.string().describe('Media type of the file, such as `application/pdf`.'),
    size: z.int().min(0).describe('Size of the file in bytes.'),
    ...timestamps,
  })
  .meta({
    id: 'Document',
    description: 'A document of an organization, as applications see it: an attachment with the entityType DOCUMENT.',
    example: {
      id: exampleIds.attachment,
      organizationId: exampleIds.organization,
      originalFilename: 'estatuto.pdf',
      description: 'Estatuto social',
      external: false,
      contentType: 'application/pdf',
      size: 48_213,
      ...exampleTimestamps,
    },
  });

export const serviceDocuments = {
  list: defineEndpoint('GET /service/documents', access.service, {
    summary: 'List documents',
    description: "Newest first. Contains the documents of the organizations linked to the token's tenant.",
    ...defineList('attachment', Document, {
      page: 'DocumentPage',
      sortable: ['id', 'organizationId', 'originalFilename', 'external', 'contentType', 'size', 'createdAt', 'updatedAt'],
      filters: {
        organizationId: equals(Uuid, "Only documents of this organization. It must be linked to the token's tenant.", 'entityId'),
        ...createdBetween,
        ...updatedSince,
      },
    }),
    errors: ['NOT_ALLOWED_ORGANIZATION'],
  }),
};
