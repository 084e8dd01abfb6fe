import { randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Creates the secret of a webhook: `whsec_` and the base64 of 32 random bytes. */
export const createSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/** Returns the key that a secret stands for. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(prefix, ''), 'base64');
