import { exportJWK, generateKeyPair } from 'jose';
import { inject } from 'vitest';
import type { Provided } from '../../../../../test/provided.ts';
import { duringTests } from '../../../../../test/during-tests.ts';
import { startLocalProvider } from '../local-provider.ts';
import { startKeycloakRealm } from './keycloak-realm.ts';
import { clients, users } from './realm-data.ts';
import type { RealmOptions, TestedProvider } from './tested-provider.ts';

/** Starts the provider under test with the clients and users of realm-data.ts. */
export function startProvider(options: Partial<RealmOptions> = {}): Promise<TestedProvider> {
  const keycloak: Provided['keycloak'] = inject('keycloak');
  const all = { clients, users, accessTokenLifespan: 300, ...options };
  return keycloak === undefined ? startLocal(all) : startKeycloakRealm(keycloak, all);
}

/** The provider under test while the tests of a file run. */
export const useProvider = (): TestedProvider =>
  duringTests(
    () => startProvider(),
    ({ stop }) => stop(),
  );

async function startLocal(options: RealmOptions): Promise<TestedProvider> {
  const { url, realmUrl, realm, mails, faults, rotateKey, removeOldKeys, stop } = await startLocalProvider(options);
  return {
    url,
    realmUrl,
    realm,
    linksTo: async (email) => mails.filter(({ to }) => to === email).map(({ link }) => link),
    rejectMails(isRejecting) {
      faults.mail = isRejecting ? '500' : 'none';
    },
    async rotateKey(algorithm) {
      const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
      await rotateKey({ ...(await exportJWK(privateKey)), alg: algorithm });
    },
    removeOldKeys,
    stop,
  };
}
