import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

// The cost is low because these are passwords of tests and demos, and every test hashes some.
const cost = { N: 1024 };
const length = 32;

/** Returns a salted hash of a password, as text. */
export function hashPassword(password: string): string {
  const salt = randomBytes(16).toString('base64url');
  return `${salt}.${scryptSync(password, salt, length, cost).toString('base64url')}`;
}

/** Whether the hash is the one of the password. Without a hash, no password matches. */
export function passwordMatches(password: string, hash: string | undefined): boolean {
  const [salt, expected] = hash?.split('.') ?? [];
  if (salt === undefined || expected === undefined) return false;
  return timingSafeEqual(scryptSync(password, salt, length, cost), Buffer.from(expected, 'base64url'));
}
