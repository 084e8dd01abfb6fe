import { z } from 'zod';
import { knownActions, type User } from '../users/user.ts';
import { unexpectedJson } from './json-body.ts';

const anything = z.unknown().optional();
const text = z.string().nullish();

/** The fields of Keycloak's UserRepresentation. Other fields are refused. Fields of type `anything` have no effect here. */
const representation = z.strictObject({
  username: text,
  email: text,
  firstName: text,
  lastName: text,
  enabled: z.boolean().nullish(),
  emailVerified: z.boolean().nullish(),
  requiredActions: z.array(z.string()).nullish(),
  credentials: z.array(z.looseObject({ type: text, value: text, temporary: z.boolean().nullish() })).nullish(),
  ...Object.fromEntries(
    ['id', 'self', 'origin', 'attributes', 'userProfileMetadata', 'createdTimestamp', 'totp', 'federationLink', 'serviceAccountClientId']
      .concat(['disableableCredentialTypes', 'federatedIdentities', 'realmRoles', 'clientRoles', 'clientConsents', 'notBefore'])
      .concat(['applicationRoles', 'socialLinks', 'groups', 'access'])
      .map((name) => [name, anything]),
  ),
});

/** The fields of a user that a body can change. A missing field is not changed. */
export interface UserChange {
  username?: string;
  email?: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  enabled?: boolean;
  emailVerified?: boolean;
  requiredActions?: string[];
  password?: string;
}

/** Reads a UserRepresentation. Returns the change, or the body of Keycloak's 400 response. */
export function parseUser(body: unknown): { change: UserChange } | { refusal: object } {
  const parsed = representation.safeParse(body);
  if (parsed.success) return { change: changeOf(parsed.data) };
  const unknown = parsed.error.issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown === undefined) return { refusal: unexpectedJson };
  return { refusal: { error: `Invalid json representation for UserRepresentation. Unrecognized field "${unknown.keys[0]}".` } };
}

function changeOf({ credentials, requiredActions, ...fields }: z.infer<typeof representation>): UserChange {
  const password = credentials?.find(({ type, value }) => type === 'password' && value);
  const actions = password?.temporary === true ? [...(requiredActions ?? []), 'UPDATE_PASSWORD'] : requiredActions;
  const change: UserChange = {};
  if (fields.username) change.username = fields.username;
  if (fields.email != null) change.email = fields.email.toLowerCase();
  if (fields.firstName != null) change.firstName = fields.firstName.trim() === '' ? undefined : fields.firstName;
  if (fields.lastName != null) change.lastName = fields.lastName.trim() === '' ? undefined : fields.lastName;
  if (fields.enabled != null) change.enabled = fields.enabled;
  if (fields.emailVerified != null) change.emailVerified = fields.emailVerified;
  if (actions) change.requiredActions = actions.filter((action) => knownActions.includes(action));
  if (password?.value) change.password = password.value;
  return change;
}

/**
 * Returns a user as a list of the admin API shows it.
 * @param manage whether the caller may change users
 * @param brief leaves out the fields that briefRepresentation=true omits
 */
export function representUser(user: User, manage: boolean, brief = false): object {
  const { id, username, firstName, lastName, email, emailVerified, enabled, createdTimestamp, requiredActions } = user;
  const shown = { id, username, firstName, lastName, email, emailVerified, enabled, createdTimestamp };
  const rest = { totp: false, disableableCredentialTypes: [], requiredActions, notBefore: 0 };
  return { ...shown, ...(brief ? {} : rest), access: { manage } };
}

/** Returns a user as the admin API shows a single one: with all rights of the caller. */
export function representOneUser(user: User, manage: boolean): object {
  const access = { manageGroupMembership: manage, resetPassword: manage, view: true, mapRoles: manage, impersonate: false, manage };
  return { ...representUser(user, manage), access };
}
