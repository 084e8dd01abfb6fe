import { exportJWK, generateKeyPair } from 'jose';
import { inject } from 'vitest';
import type { Provided } from '../../../../../test/provided.ts';
import { duringTests } from '../../../../../test/during-tests.ts';
import { startLocalProvider } from '../local-provider.ts';
import { type RealmOptions, startKeycloakRealm } from './keycloak-realm.ts';
import { clients, users } from './realm-data.ts';

/** The provider under test: the one of the local stack, or a realm of a real Keycloak. */
export type TestedProvider = Awaited<ReturnType<typeof startLocal>>;

/** Starts the provider under test with the clients and users of realm-data.ts. */
export function startProvider(options: Partial<RealmOptions> = {}): Promise<TestedProvider> {
  const keycloak: Provided['keycloak'] = inject('keycloak');
  const all = { clients, users, accessTokenLifespan: 300, ...options };
  return keycloak === undefined ? startLocal(all) : startKeycloakRealm(keycloak, all);
}

/** The provider under test while the tests of a file run. */
export const useProvider = () => duringTests(startProvider, ({ stop }) => stop());

async function startLocal(options: RealmOptions) {
  const { url, realmUrl, realm, mails, faults, rotateKey, removeOldKeys, stop } = await startLocalProvider(options);
  return {
    url,
    realmUrl,
    realm,
    /** The links in the mails to an address, oldest first. */
    linksTo: async (email: string) => mails.filter(({ to }) => to === email).map(({ link }) => link),
    /** Makes its mail server reject every mail, or accept mails again. */
    rejectMails(isRejecting: boolean) {
      faults.mail = isRejecting ? '500' : 'none';
    },
    /** Signs with a new key from now on. Tokens of older keys still verify. */
    async rotateKey(algorithm: string) {
      const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
      await rotateKey({ ...(await exportJWK(privateKey)), alg: algorithm });
    },
    /** Removes all signing keys except the current one. */
    removeOldKeys,
    stop,
  };
}
