import { unsetFields } from '@profile-service/contracts/examples';
import { membershipsOf, type Model, type User } from '../../test/oracle/model.ts';
import { cpf } from '../../test/support/cpf.ts';
import { contains, equals, next } from './draws.ts';
import type { Case, Input, DrawContext } from './driver.ts';
import { drive } from './records.ts';

const types = ['Admin', 'Coordinator', 'Technician', 'Cooperative', 'Global'] as const;
const live = (model: Model): User[] => [...model.users.values()];

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

/** Only a Global user creates, changes or deletes a Global user. */
export const guardGlobal = ({ who }: Case, ...named: unknown[]): string | undefined =>
  !who.isGlobal && named.includes('Global') ? 'NOT_ALLOWED' : undefined;

export const users = drive<User>('user', {
  matches: ({ id, name, email }, { search, tenantId, persona }, model) =>
    [name, email].some((text) => contains(text, search)) &&
    ((tenantId === undefined && persona === undefined) ||
      membershipsOf(model, id).some((membership) => equals(membership.tenantId, tenantId) && equals(membership.persona, persona))),
  draw: (context) => ({ ...drawPerson(context), type: drawType(context) }),
  refuseInput: (it) => guardGlobal(it, it.input['type']),
  refuseRecord: (it, record) => guardGlobal(it, record.type),
  faults: ({ model }, { email }, record, others) => {
    const fault = record || others.length > 0 ? undefined : identityFault(model, email);
    return fault ? [fault] : [];
  },
  make: ({ model, input }, answered) => makeUser(model, input, answered),
  created: ({ model }, { email, idIdentity }) => void model.identities.set(email, idIdentity),
  removed: ({ model }, record) => void model.deletedUsers.set(record.id, record),
});
