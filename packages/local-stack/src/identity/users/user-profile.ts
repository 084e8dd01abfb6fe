import { domainToASCII } from 'node:url';

/** A violation of Keycloak's user profile: the attribute, the message key and its parameters. */
export interface ProfileViolation {
  field: string;
  errorMessage: string;
  params: unknown[];
}

export interface Profile {
  email: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
}

const maxLength = 255;
const quotedCharacter = String.raw`(?:[a-z0-9!#$%&'*.(),<>[\]:; @+/=?^_\`{|}~\u0080-\uffff-]|\\\\|\\")`;
const atom = String.raw`(?:[a-z0-9!#$%&'*+/=?^_\`{|}~\u0080-\uffff-]+|"${quotedCharacter}+")`;
const localPart = new RegExp(String.raw`^${atom}(?:\.${atom})*$`, 'i');
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const addressLiteral = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[0-9a-f:.]+)\]$/i;
// In Java, \v matches any vertical space, which includes \u0085, \u2028 and \u2029.
const personName = /^[^<>&"\v$%!#?§;*~/\\|^=[\]{}()\u0000-\u001f\u007f\u0085\u2028\u2029]+$/;

/**
 * Checks a user by the rules of Keycloak 26.7's default user profile, with the e-mail as username.
 * Returns all violations in Keycloak's order. Names may be missing: only a login requires them.
 */
export function checkProfile({ email, firstName, lastName }: Profile): ProfileViolation[] {
  return [...checkUsername(email), ...checkEmail(email), ...checkName('lastName', lastName), ...checkName('firstName', firstName)];
}

function checkUsername(username: string): ProfileViolation[] {
  if (username.length >= 3 && username.length <= maxLength) return [];
  return [{ field: 'username', errorMessage: 'error-invalid-length', params: ['username', 3, maxLength] }];
}

function checkEmail(email: string): ProfileViolation[] {
  const violations: ProfileViolation[] = [];
  if (email.length > maxLength)
    violations.push({ field: 'email', errorMessage: 'error-invalid-length-too-long', params: ['email', null, maxLength] });
  if (!isEmail(email)) violations.push({ field: 'email', errorMessage: 'error-invalid-email', params: ['email', email] });
  else if (!/^[\u0000-\u007f]*@/.test(email))
    violations.push({ field: 'email', errorMessage: 'error-non-ascii-local-part-email', params: ['email'] });
  return violations;
}

function isEmail(email: string): boolean {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)];
  return local.length <= 64 && localPart.test(local) && (addressLiteral.test(domain) || isDomain(domain));
}

function isDomain(domain: string): boolean {
  const ascii = domainToASCII(domain);
  return ascii.length <= maxLength && ascii.split('.').every((label) => domainLabel.test(label));
}

function checkName(field: string, name: string | undefined): ProfileViolation[] {
  if (name === undefined || name === '') return [];
  const violations: ProfileViolation[] = [];
  if (name.length > maxLength) violations.push({ field, errorMessage: 'error-invalid-length-too-long', params: [field, null, maxLength] });
  if (!personName.test(name)) violations.push({ field, errorMessage: 'error-person-name-invalid-character', params: [field] });
  return violations;
}
