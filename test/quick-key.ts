import { generateKeyPairSync } from 'node:crypto';
import type { IdentityProviderOptions } from '@profile-service/local-stack';

type Key = NonNullable<IdentityProviderOptions['keys']>[number];

/** A private key for an identity provider: of the kind that is the quickest to make and to sign with. */
export const quickKey = (): Key => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Key;
