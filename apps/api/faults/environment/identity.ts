import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { startKeycloak } from '../../../../scripts/keycloak/server.ts';
import { createRealm, type KeycloakRealm } from '../../../../test/keycloak/create-realm.ts';
import { realmOfFile, realmSettings } from '../../../../test/keycloak/realm-file.ts';
import { addTestClients } from '../../test/keycloak/support/test-clients.ts';
import { globalUser } from '../../test/keycloak/support/tokens.ts';
import { type HttpProxy, startHttpProxy } from './http-proxy.ts';

/** A real Keycloak, which the instances reach through a proxy. */
export interface FaultyIdentity {
  realm: KeycloakRealm;
  proxy: HttpProxy;
  /** The settings of the service for it, without those of its address. */
  settings: Record<string, string>;
  /** Ends Keycloak with SIGKILL. It starts again by itself. */
  kill(): Promise<void>;
  /** Waits until Keycloak responds. */
  untilUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Tokens last longer than a run of the suite, and than the hour by which it changes the clock. */
const lifespan = 8 * 60 * 60;
/** Changes of the realm file. With brute force detection, Keycloak rejects a login while it processes another one of the same user. */
const changes = {
  bruteForceProtected: false,
  accessTokenLifespan: lifespan,
  ssoSessionIdleTimeout: lifespan,
  ssoSessionMaxLifespan: lifespan,
};

/** Starts Keycloak with a realm. */
export async function startFaultyIdentity(): Promise<FaultyIdentity> {
  const keycloak = await startKeycloak();
  const realm = await createRealm(keycloak.access, { ...realmOfFile(), ...changes });
  await addTestClients(realm.admin);
  const proxy = await startHttpProxy(keycloak.access.internalUrl);
  return {
    realm,
    proxy,
    settings: {
      IDENTITY_REALM_URL: realm.url,
      IDENTITY_AUTH_URL: realm.url,
      IDENTITY_AUDIENCE: 'profile-service',
      IDENTITY_CLIENT_ID: 'profile-service',
      IDENTITY_CLIENT_SECRET: realmSettings.IDENTITY_CLIENT_SECRET,
      IDENTITY_MAIL_CLIENT_ID: 'profile-web',
      IDENTITY_MAIL_REDIRECT_URL: `${realmSettings.WEB_URL}/`,
      BOOTSTRAP_GLOBAL_EMAIL: globalUser.email,
      BOOTSTRAP_GLOBAL_NAME: 'Global Administrator',
      BOOTSTRAP_GLOBAL_TAX_ID: '52998224725',
    },
    async kill() {
      // kc.sh starts Java as a child process.
      process.kill(-Number(await readFile(keycloak.access.pidFile ?? '', 'utf8')), 'SIGKILL');
    },
    async untilUp() {
      const isUp = () =>
        fetch(`${keycloak.access.internalUrl}/realms/master`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await isUp())) await pause(200);
    },
    async stop() {
      await proxy.stop();
      await realm.smtp.stop();
      await keycloak.stop();
    },
  };
}
