import { readFile } from 'node:fs/promises';
import { startKeycloak } from '../../../../scripts/keycloak/server.ts';
import { eventually } from '../../../../test/eventually.ts';
import { createRealm } from '../../../../test/keycloak/create-realm.ts';
import { realmOfFile } from '../../../../test/keycloak/realm-file.ts';
import { concurrentLogins, keycloakSettings } from '../../test/keycloak/support/keycloak-settings.ts';
import { addTestClients } from '../../test/keycloak/support/test-clients.ts';
import { startHttpProxy } from '../../test/support/http-proxy.ts';

/** A real Keycloak, which the instances reach through a proxy. */
export type FaultyIdentity = Awaited<ReturnType<typeof startFaultyIdentity>>;

/** Tokens last longer than a run of the suite, and than the hour by which it changes the clock. */
const lifespan = 8 * 60 * 60;
const changes = {
  ...concurrentLogins,
  accessTokenLifespan: lifespan,
  ssoSessionIdleTimeout: lifespan,
  ssoSessionMaxLifespan: lifespan,
};

/** Starts Keycloak with a realm. */
export async function startFaultyIdentity() {
  const keycloak = await startKeycloak();
  const realm = await createRealm(keycloak.access, { ...realmOfFile(), ...changes });
  await addTestClients(realm.admin);
  const proxy = await startHttpProxy(keycloak.access.internalUrl);
  return {
    realm,
    proxy,
    /** The settings of the service for it, without those of its address. */
    settings: keycloakSettings(realm.url),
    /** Ends Keycloak with SIGKILL. It starts again by itself. */
    async kill() {
      // kc.sh starts Java as a child process.
      process.kill(-Number(await readFile(keycloak.access.pidFile ?? '', 'utf8')), 'SIGKILL');
    },
    /** Waits until Keycloak responds. */
    untilUp: () =>
      eventually(async () => {
        const { status } = await fetch(`${keycloak.access.internalUrl}/realms/master`);
        if (status !== 200) throw new Error(`Keycloak responds with ${status}`);
      }),
    async stop() {
      await proxy.stop();
      await realm.smtp.stop();
      await keycloak.stop();
    },
  };
}
