import type { Attachment } from '../../test/oracle/model.ts';
import { isOrganization, seesAttachment, seesDocument, seesOrganization } from '../../test/oracle/visibility.ts';
import { anyId, equals, filters, next, paging, someOf } from './draws.ts';
import { answer, type Body, type Case, type Driver, page, refuse, type DrawContext } from './driver.ts';
import { refuseFilter } from './organizations.ts';
import { drive } from './records.ts';

const entityTypes = ['DOCUMENT', 'ORGANIZATION', 'CUSTOMER', 'USER'] as const;

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

const { create, list, get, update, remove } = drive<Attachment>({
  table: 'attachments',
  key: 'id',
  notFound: 'ATTACHMENT_NOT_FOUND',
  visible: ({ model, who }, record) => seesAttachment(model, who, record),
  editable: ['entityId', 'description'],
  show,
  drawCreation: (context) => {
    const entityId = drawEntityId(context);
    return {
      file: newFile(),
      filename: `m${next()}x.pdf`,
      ...(entityId === null ? {} : { entityId }),
      ...(context.random.chance(0.3) ? { entityType: context.random.oneOf(...entityTypes) } : {}),
    };
  },
  drawChanges: (context) => someOf(context, { entityId: drawEntityId(context), description: `m${next()}x` }),
  drawFilters: (context) =>
    filters(context, {
      entityType: () => context.random.oneOf(...entityTypes),
      entityId: () => anyId(context, context.model.organizations),
      userId: () => anyId(context, context.model.users),
    }),
  // An entityId outside the scope is not refused here: the list is empty.
  matches: (attachment, { entityType, entityId, userId }) =>
    equals(attachment.entityType, entityType) && equals(attachment.entityId, entityId) && equals(attachment.userId, userId),
  refuseInput: refuseEntity,
  make,
});

export const attachments: Record<'create' | 'list' | 'get' | 'update' | 'remove', Driver> = {
  create,
  list,
  update,
  remove,
  get: {
    draw: get.draw,
    outcome({ model, who, input }) {
      const attachment = model.attachments.get(String(input['id']));
      return attachment && seesAttachment(model, who, attachment) ? answer(attachment.content) : refuse('ATTACHMENT_NOT_FOUND');
    },
  },
};

export const documents: Driver = {
  draw: (context) => ({ ...paging(context), ...filters(context, { organizationId: () => anyId(context, context.model.organizations) }) }),
  outcome(it) {
    const refused = refuseFilter(it);
    if (refused) return refuse(refused);
    const seen = [...it.model.attachments.values()].filter(
      (attachment) => seesDocument(it.model, it.who, attachment) && equals(attachment.entityId, it.input['organizationId']),
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
    return page(shown.toReversed(), it.input);
  },
};
