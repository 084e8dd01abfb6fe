import type { IdentityProvider, IdentityProviderOptions } from './identity-provider.ts';

/** Creates the client of the identity provider. Loads it at the first call: Keycloak's library takes 9 MB of memory, and most instances rarely need it. */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  let loaded: Promise<IdentityProvider> | undefined;
  const load = () => (loaded ??= import('./keycloak-client.ts').then(({ createKeycloakClient }) => createKeycloakClient(options)));
  return {
    findByEmail: async (email) => (await load()).findByEmail(email),
    create: async (person) => (await load()).create(person),
    sendPasswordMail: async (subject) => (await load()).sendPasswordMail(subject),
  };
}
