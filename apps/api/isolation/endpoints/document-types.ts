import type { DocumentType, Model } from '../model.ts';
import { contains, equals, filters, next, someOf } from './draws.ts';
import type { Input, Scene } from './driver.ts';
import { drive } from './records.ts';

const drawFields = ({ model, dice }: Scene): Input => ({
  name: (dice.chance(0.15) ? dice.pick([...model.documentTypes.values()])?.name : undefined) ?? `Document type ${next()}`,
  isRequired: dice.chance(0.5),
  isActive: dice.chance(0.5),
});
const isTaken = (model: Model, name: unknown, by?: DocumentType): boolean =>
  [...model.documentTypes.values()].some((type) => type !== by && type.name === name);

export const documentTypes = drive<DocumentType>({
  table: 'documentTypes',
  key: 'id',
  notFound: 'DOCUMENT_TYPE_NOT_FOUND',
  editable: ['name', 'isRequired', 'isActive', 'hasExpiration'],
  drawCreation: (scene) => ({ ...drawFields(scene), ...(scene.dice.chance(0.5) ? { hasExpiration: true, defaultValidityDays: 30 } : {}) }),
  drawChanges: (scene) => someOf(scene, { ...drawFields(scene), hasExpiration: scene.dice.chance(0.5) }),
  drawFilters: (scene) =>
    filters(scene, {
      name: () => String(scene.dice.index(10)),
      isActive: () => scene.dice.chance(0.5),
      isRequired: () => scene.dice.chance(0.5),
    }),
  matches: (type, { name, isActive, isRequired }) =>
    contains(type.name, name) && equals(type.isActive, isActive) && equals(type.isRequired, isRequired),
  refuseCreation: ({ model, input }) => (isTaken(model, input['name']) ? 'DOCUMENT_TYPE_ALREADY_EXISTS' : undefined),
  refuseChange: ({ model, input }, record) => (isTaken(model, input['name'], record) ? 'DOCUMENT_TYPE_ALREADY_EXISTS' : undefined),
  make: ({ input }, { id }) =>
    ({
      id,
      description: null,
      requiresApproval: false,
      hasExpiration: false,
      defaultValidityDays: null,
      hasAuthenticityCode: false,
      ...input,
    }) as unknown as DocumentType,
  // 4.11: a type that loses its expiration loses its validity.
  amountTo: (_, changes) => (changes['hasExpiration'] === false ? { ...changes, defaultValidityDays: null } : changes),
});
