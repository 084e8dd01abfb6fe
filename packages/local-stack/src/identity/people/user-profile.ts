import { domainToASCII } from 'node:url';

/** What Keycloak's user profile refuses: the attribute, the message's key and its parameters. */
export interface ProfileFault {
  field: string;
  errorMessage: string;
  params: unknown[];
}

export interface Profile {
  email: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
}

const longest = 255;
const quotedInside = String.raw`(?:[a-z0-9!#$%&'*.(),<>[\]:; @+/=?^_\`{|}~\u0080-\uffff-]|\\\\|\\")`;
const atom = String.raw`(?:[a-z0-9!#$%&'*+/=?^_\`{|}~\u0080-\uffff-]+|"${quotedInside}+")`;
const localPart = new RegExp(String.raw`^${atom}(?:\.${atom})*$`, 'i');
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const addressLiteral = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[0-9a-f:.]+)\]$/i;
// Java’s \v is any vertical space, hence \u0085, \u2028 and \u2029.
const personName = /^[^<>&"\v$%!#?§;*~/\\|^=[\]{}()\u0000-\u001f\u007f\u0085\u2028\u2029]+$/;

/**
 * Checks a person's data by the rules of Keycloak 26.7's default user profile, where the e-mail is the username.
 * Returns all faults in Keycloak's order, none when the data are accepted. Names may be absent: only a login wants them.
 */
export function checkProfile({ email, firstName, lastName }: Profile): ProfileFault[] {
  return [...checkUsername(email), ...checkEmail(email), ...checkName('lastName', lastName), ...checkName('firstName', firstName)];
}

function checkUsername(username: string): ProfileFault[] {
  if (username.length >= 3 && username.length <= longest) return [];
  return [{ field: 'username', errorMessage: 'error-invalid-length', params: ['username', 3, longest] }];
}

function checkEmail(email: string): ProfileFault[] {
  const faults: ProfileFault[] = [];
  if (email.length > longest)
    faults.push({ field: 'email', errorMessage: 'error-invalid-length-too-long', params: ['email', null, longest] });
  if (!isEmail(email)) faults.push({ field: 'email', errorMessage: 'error-invalid-email', params: ['email', email] });
  else if (!/^[\u0000-\u007f]*@/.test(email))
    faults.push({ field: 'email', errorMessage: 'error-non-ascii-local-part-email', params: ['email'] });
  return faults;
}

function isEmail(email: string): boolean {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)];
  return local.length <= 64 && localPart.test(local) && (addressLiteral.test(domain) || isDomain(domain));
}

function isDomain(domain: string): boolean {
  const ascii = domainToASCII(domain);
  return ascii.length <= longest && ascii.split('.').every((label) => domainLabel.test(label));
}

function checkName(field: string, name: string | undefined): ProfileFault[] {
  if (name === undefined || name === '') return [];
  const faults: ProfileFault[] = [];
  if (name.length > longest) faults.push({ field, errorMessage: 'error-invalid-length-too-long', params: [field, null, longest] });
  if (!personName.test(name)) faults.push({ field, errorMessage: 'error-person-name-invalid-character', params: [field] });
  return faults;
}
