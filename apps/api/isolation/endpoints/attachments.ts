import type { Attachment } from '../../test/oracle/model.ts';
import { isOrganization, seesAttachment, seesDocument, seesOrganization } from '../../test/oracle/visibility.ts';
import { anyId, equals, next } from './draws.ts';
import { answer, type Body, type Case, page, refuse, type DrawContext } from './driver.ts';
import { reading } from './read.ts';
import { drive } from './records.ts';

/** Null, an organization, or a record of another kind. The last and null make the attachment belong to its uploader. */
const drawEntityId = (context: DrawContext): string | null =>
  context.random.chance(0.3) ? null : anyId(context, context.random.chance(0.8) ? context.model.organizations : context.model.customers);

/** The smallest file that passes as a PDF. */
export const newFile = (): string => `%PDF-1.4 m${next()}x`;
const show = ({ tenantId: _, content: __, ...shown }: Attachment): object => shown;

/** An attachment cannot be attached to an organization outside the scope. Any other id is accepted. */
const refuseEntity = ({ model, who, input: { entityId } }: Case): string | undefined =>
  typeof entityId === 'string' && isOrganization(model, entityId) && !seesOrganization(model, who, entityId)
    ? 'NOT_ALLOWED_ORGANIZATION'
    : undefined;

function make({ who, input }: Case, { id, filePath }: Body): Attachment {
  const { file, filename, entityType = 'DOCUMENT', entityId = null, description = null } = input;
  const right = new RegExp(`^attachments/${String(entityType)}/[\\da-f-]{36}\\.pdf$`).test(String(filePath));
  return {
    id,
    entityType,
    entityId,
    description,
    external: false,
    originalFilename: filename,
    filePath: right ? filePath : 'attachments/<entityType>/<uuid>.pdf',
    userId: who.user?.id,
    tenantId: who.tenant?.id ?? null,
    content: file,
  } as Attachment;
}

const resource = drive<Attachment>('attachment', {
  visible: ({ model, who }, record) => seesAttachment(model, who, record),
  show,
  draw: (context) => ({ file: newFile(), filename: `m${next()}x.pdf`, entityId: drawEntityId(context) }),
  refuseInput: refuseEntity,
  make,
});

export const attachments: typeof resource = {
  ...resource,
  get: {
    draw: resource.get.draw,
    outcome({ model, who, input }) {
      const attachment = model.attachments.get(String(input['id']));
      return attachment && seesAttachment(model, who, attachment) ? answer(attachment.content) : refuse('ATTACHMENT_NOT_FOUND');
    },
  },
};

export const documents = reading('service.documents.list', ({ model, who, input }) => {
  const seen = [...model.attachments.values()].filter(
    (attachment) => seesDocument(model, who, attachment) && equals(attachment.entityId, input['organizationId']),
  );
  const shown = seen.map(({ id, entityId, originalFilename, description, external, content }) => ({
    id,
    organizationId: entityId,
    originalFilename,
    description,
    external,
    contentType: 'application/pdf',
    size: content.length,
  }));
  return page(shown.toReversed(), input);
});
