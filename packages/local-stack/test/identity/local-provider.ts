import { inject } from 'vitest';
import type { IdentityProviderOptions } from '../../src/identity/options.ts';
import { type IdentityProvider, startIdentityProvider } from '../../src/identity/provider.ts';
import type { Provided } from '../../../../test/provided.ts';
import { clients, users } from './contract/realm-data.ts';

/** Starts the provider of the local stack with the clients and users of the contract tests. */
export function startLocalProvider(options: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  const signingKey: Provided['signingKey'] = inject('signingKey');
  return startIdentityProvider({ keys: [signingKey], clients, users, ...options });
}
