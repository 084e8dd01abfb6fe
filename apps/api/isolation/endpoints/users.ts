import type { Model, User } from '../model.ts';
import { anyId, contains, cpf, equals, filters, next, paging, someOf } from './draws.ts';
import type { Case, Input, Scene } from './driver.ts';
import { drive } from './records.ts';

const types = ['Admin', 'Coordinator', 'Technician', 'Cooperative', 'Global'] as const;
const live = (model: Model): User[] => [...model.users.values()];

export const emailIsTaken = (model: Model, email: unknown, by?: User): boolean =>
  live(model).some((user) => user !== by && user.email === email);

/** Who may not make a Global user tries it more often than not. */
const drawType = ({ who, dice }: Scene): string => (who.isGlobal || dice.chance(0.4) ? dice.oneOf(...types) : 'Global');

/** Mostly somebody new; sometimes who is known, who has been deleted, or whose e-mail is only the provider's any more. */
export function drawPerson({ model, dice }: Scene): { name: string; email: string; federalTaxId: string } {
  const number = next();
  const fresh = { name: `Person ${number}`, email: `person-${number}@example.com`, federalTaxId: cpf(number) };
  if (dice.chance(0.5)) return fresh;
  const known = dice.pick([...live(model), ...model.deletedUsers.values()]);
  if (!known) return fresh;
  const { email, federalTaxId } = known;
  const atProvider = dice.pick([...model.identities.keys()]) ?? email;
  return { ...fresh, ...dice.oneOf({ email, federalTaxId }, { email, federalTaxId }, { email }, { federalTaxId }, { email: atProvider }) };
}

/** Why the provider's identity of this e-mail cannot become a new user's. */
export function identityFault(model: Model, email: unknown): string | undefined {
  const subject = model.identities.get(String(email));
  return live(model).some(({ idIdentity }) => idIdentity === subject) ? 'IDENTITY_ALREADY_LINKED' : undefined;
}

/** The user that a creation makes; a person whom the provider knows keeps their identity. */
export function makeUser(model: Model, input: Input, { id, idIdentity }: Record<string, unknown>): User {
  const { name, email, federalTaxId, type, jobTitle = null, customerId = null } = input;
  const subject = model.identities.get(String(email)) ?? idIdentity;
  return { id, idIdentity: subject, name, email, federalTaxId, type, jobTitle, customerId } as User;
}

const customerIsUnknown = (model: Model, customerId: unknown): boolean =>
  typeof customerId === 'string' && !model.customers.has(customerId);

/** Only a Global user makes, changes or deletes a Global user. */
export const guardGlobal = ({ who }: Case, ...named: unknown[]): string | undefined =>
  !who.isGlobal && named.includes('Global') ? 'NOT_ALLOWED' : undefined;

export const users = drive<User>({
  table: 'users',
  key: 'id',
  notFound: 'USER_NOT_FOUND',
  editable: ['name', 'email', 'type', 'jobTitle', 'customerId'],
  drawCreation: (scene) => ({
    ...drawPerson(scene),
    type: drawType(scene),
    ...(scene.dice.chance(0.3) ? { customerId: anyId(scene, scene.model.customers) } : {}),
  }),
  drawChanges: (scene) =>
    someOf(scene, {
      name: `Person ${next()}`,
      type: drawType(scene),
      jobTitle: `Job ${next()}`,
      ...(scene.dice.chance(0.2) ? { email: drawPerson(scene).email } : {}),
    }),
  drawFilters: (scene) => ({
    ...paging(scene),
    ...filters(scene, {
      name: () => String(scene.dice.index(10)),
      email: () => String(scene.dice.index(10)),
      type: () => scene.dice.oneOf(...types),
      customerId: () => anyId(scene, scene.model.customers),
    }),
  }),
  matches: (user, { name, email, type, customerId }) =>
    contains(user.name, name) && contains(user.email, email) && equals(user.type, type) && equals(user.customerId, customerId),
  refuseInput: (it) => guardGlobal(it, it.input['type']),
  refuseCreation({ model, input: { email, federalTaxId, customerId } }) {
    const isKnown = emailIsTaken(model, email) || live(model).some((user) => user.federalTaxId === federalTaxId);
    const faults = [isKnown && 'USER_ALREADY_EXISTS', customerIsUnknown(model, customerId) && 'CUSTOMER_NOT_FOUND'].filter(Boolean);
    return faults.length > 0 ? (faults as string[]) : identityFault(model, email);
  },
  make: ({ model, input }, answered) => makeUser(model, input, answered),
  created: ({ model }, { email, idIdentity }) => void model.identities.set(email, idIdentity),
  refuseChange: (it, record) =>
    guardGlobal(it, record.type) ?? (emailIsTaken(it.model, it.input['email'], record) ? 'USER_ALREADY_EXISTS' : undefined),
  refuseRemoval: (it, record) => guardGlobal(it, record.type),
  removed: ({ model }, record) => void model.deletedUsers.set(record.id, record),
});
