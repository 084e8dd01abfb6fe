import { unsetFields } from '@profile-service/contracts/examples';
import type { Model, User } from '../../test/oracle/model.ts';
import { cpf } from '../../test/support/cpf.ts';
import { anyId, contains, equals, filters, next, paging, someOf } from './draws.ts';
import type { Case, Input, DrawContext } from './driver.ts';
import { drive } from './records.ts';

const types = ['Admin', 'Coordinator', 'Technician', 'Cooperative', 'Global'] as const;
const live = (model: Model): User[] => [...model.users.values()];

export const emailIsTaken = (model: Model, email: unknown, by?: User): boolean =>
  live(model).some((user) => user !== by && user.email === email);

/** Callers who may not create a Global user usually try to. */
const drawType = ({ who, random }: DrawContext): string => (who.isGlobal || random.chance(0.4) ? random.oneOf(...types) : 'Global');

/** Usually a new person; sometimes a known or deleted one, or one whose e-mail only the identity provider knows. */
export function drawPerson({ model, random }: DrawContext): { name: string; email: string; federalTaxId: string } {
  const number = next();
  const fresh = { name: `Person ${number}`, email: `person-${number}@example.com`, federalTaxId: cpf(number) };
  if (random.chance(0.5)) return fresh;
  const known = random.pick([...live(model), ...model.deletedUsers.values()]);
  if (!known) return fresh;
  const { email, federalTaxId } = known;
  const atProvider = random.pick([...model.identities.keys()]) ?? email;
  return {
    ...fresh,
    ...random.oneOf({ email, federalTaxId }, { email, federalTaxId }, { email }, { federalTaxId }, { email: atProvider }),
  };
}

/** The error code if the identity with this e-mail belongs to another user. */
export function identityFault(model: Model, email: unknown): string | undefined {
  const subject = model.identities.get(String(email));
  return live(model).some(({ idIdentity }) => idIdentity === subject) ? 'IDENTITY_ALREADY_LINKED' : undefined;
}

/** The created user. A person whom the identity provider knows keeps their identity. */
export function makeUser(model: Model, input: Input, { id, idIdentity }: Record<string, unknown>): User {
  const { persona: _, ...fields } = input;
  const subject = model.identities.get(String(input['email'])) ?? idIdentity;
  return { ...unsetFields('users.create'), ...fields, id, idIdentity: subject } as unknown as User;
}

const customerIsUnknown = (model: Model, customerId: unknown): boolean =>
  typeof customerId === 'string' && !model.customers.has(customerId);

/** Only a Global user creates, changes or deletes a Global user. */
export const guardGlobal = ({ who }: Case, ...named: unknown[]): string | undefined =>
  !who.isGlobal && named.includes('Global') ? 'NOT_ALLOWED' : undefined;

export const users = drive<User>({
  table: 'users',
  key: 'id',
  notFound: 'USER_NOT_FOUND',
  editable: ['name', 'email', 'type', 'jobTitle', 'customerId'],
  drawCreation: (context) => ({
    ...drawPerson(context),
    type: drawType(context),
    ...(context.random.chance(0.3) ? { customerId: anyId(context, context.model.customers) } : {}),
  }),
  drawChanges: (context) =>
    someOf(context, {
      name: `Person ${next()}`,
      type: drawType(context),
      jobTitle: `Job ${next()}`,
      ...(context.random.chance(0.2) ? { email: drawPerson(context).email } : {}),
    }),
  drawFilters: (context) => ({
    ...paging(context),
    ...filters(context, {
      name: () => String(context.random.index(10)),
      email: () => String(context.random.index(10)),
      type: () => context.random.oneOf(...types),
      customerId: () => anyId(context, context.model.customers),
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
