import { z } from 'zod';
import { access } from './access.ts';
import { createdBetween, pageOf, paging, Timestamp, Uuid } from './fields.ts';
import { defineEndpoint } from './endpoint.ts';

/** An attachment of entityType DOCUMENT that belongs to an organization (decisions, part 3). */
export const Document = z
  .object({
    id: Uuid,
    organizationId: Uuid,
    originalFilename: z.string(),
    description: z.string().nullable(),
    external: z.boolean().describe('Whether the file was not uploaded by a user of this service'),
    contentType: z.string(),
    size: z.int().min(0).describe('In bytes'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
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
    summary: "List the documents of the organizations linked to the token's tenant, newest first",
    query: {
      ...paging,
      organizationId: Uuid.optional().describe('Of this organization alone; outside the scope it is refused'),
      ...createdBetween,
    },
    output: pageOf(Document, 'DocumentPage'),
    success: 200,
    errors: ['NOT_ALLOWED_ORGANIZATION'],
  }),
};
