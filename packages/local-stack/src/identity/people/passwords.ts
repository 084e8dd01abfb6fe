import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

// A low cost on purpose: these are demo passwords of a stand-in, and every test seeds people.
const cost = { N: 1024 };
const length = 32;

/** A salted hash of a password, as text. */
export function hashPassword(password: string): string {
  const salt = randomBytes(16).toString('base64url');
  return `${salt}.${scryptSync(password, salt, length, cost).toString('base64url')}`;
}

/** Whether a password is the one that was hashed; nobody's password is right where nothing was hashed. */
export function passwordMatches(password: string, hash: string | undefined): boolean {
  const [salt, expected] = hash?.split('.') ?? [];
  if (salt === undefined || expected === undefined) return false;
  return timingSafeEqual(scryptSync(password, salt, length, cost), Buffer.from(expected, 'base64url'));
}
