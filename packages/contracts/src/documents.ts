import { z } from 'zod';
import { access } from './access.ts';
import { Attachment } from './attachments.ts';
import { defineEndpoint } from './endpoint.ts';
import { createdBetween, pageOf, paging, timestamps, Uuid } from './fields.ts';

/** An attachment of entityType DOCUMENT that belongs to an organization. */
export const Document = z
  .object({
    id: Uuid.describe('Id of the document, which is that of its attachment.'),
    organizationId: Uuid.describe('Organization that the document belongs to.'),
    ...Attachment.pick({ originalFilename: true, description: true, external: true }).shape,
    contentType: z.string().describe('Content type of the file.'),
    size: z.int().min(0).describe('Size of the file in bytes.'),
    ...timestamps,
  })
  .meta({
    id: 'Document',
    example: {
      id: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e63',
      organizationId: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f',
      originalFilename: 'estatuto.pdf',
      description: 'Estatuto social',
      external: false,
      contentType: 'application/pdf',
      size: 48_213,
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
    },
  });

export const serviceDocuments = {
  list: defineEndpoint('GET /service/documents', access.service, {
    summary: 'List documents of linked organizations',
    description: "Newest first. Contains the documents of the organizations linked to the token's tenant.",
    query: {
      ...paging,
      organizationId: Uuid.optional().describe("Only documents of this organization. It must be linked to the token's tenant."),
      ...createdBetween,
    },
    output: pageOf(Document, 'DocumentPage'),
    success: 200,
    errors: ['NOT_ALLOWED_ORGANIZATION'],
  }),
};
