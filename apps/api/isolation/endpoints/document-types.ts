import { unsetFields } from '@profile-service/contracts/examples';
import type { DocumentType, Model } from '../../test/oracle/model.ts';
import { contains, equals, filters, next, someOf } from './draws.ts';
import type { Input, DrawContext } from './driver.ts';
import { drive } from './records.ts';

const drawFields = ({ model, random }: DrawContext): Input => ({
  name: (random.chance(0.15) ? random.pick([...model.documentTypes.values()])?.name : undefined) ?? `Document type ${next()}`,
  isRequired: random.chance(0.5),
  isActive: random.chance(0.5),
});
const isTaken = (model: Model, name: unknown, by?: DocumentType): boolean =>
  [...model.documentTypes.values()].some((type) => type !== by && type.name === name);

export const documentTypes = drive<DocumentType>({
  table: 'documentTypes',
  key: 'id',
  notFound: 'DOCUMENT_TYPE_NOT_FOUND',
  editable: ['name', 'isRequired', 'isActive', 'hasExpiration'],
  drawCreation: (context) => ({
    ...drawFields(context),
    ...(context.random.chance(0.5) ? { hasExpiration: true, defaultValidityDays: 30 } : {}),
  }),
  drawChanges: (context) => someOf(context, { ...drawFields(context), hasExpiration: context.random.chance(0.5) }),
  drawFilters: (context) =>
    filters(context, {
      name: () => String(context.random.index(10)),
      isActive: () => context.random.chance(0.5),
      isRequired: () => context.random.chance(0.5),
    }),
  matches: (type, { name, isActive, isRequired }) =>
    contains(type.name, name) && equals(type.isActive, isActive) && equals(type.isRequired, isRequired),
  refuseCreation: ({ model, input }) => (isTaken(model, input['name']) ? 'DOCUMENT_TYPE_ALREADY_EXISTS' : undefined),
  refuseChange: ({ model, input }, record) => (isTaken(model, input['name'], record) ? 'DOCUMENT_TYPE_ALREADY_EXISTS' : undefined),
  make: ({ input }, { id }) => ({ ...unsetFields('documentTypes.create'), ...input, id }) as unknown as DocumentType,
  // DOCTYPES-8
  amountTo: (_, changes) => (changes['hasExpiration'] === false ? { ...changes, defaultValidityDays: null } : changes),
});
