import { generateKeyPairSync } from 'node:crypto';
import type { IdentityProviderOptions } from '@profile-service/local-stack';

type Key = NonNullable<IdentityProviderOptions['keys']>[number];

/** Returns a private Ed25519 key for an identity provider: the fastest kind to generate and to sign with. */
export const quickKey = (): Key => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Key;
