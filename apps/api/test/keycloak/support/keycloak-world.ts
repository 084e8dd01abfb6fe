import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createTestDatabase } from '../../../../../test/database.ts';
import { fastFolder } from '../../../../../test/fast-folder.ts';
import type { KeycloakAccess } from '../../../../../test/keycloak/access.ts';
import { createRealm, type KeycloakRealm, useRealm } from '../../../../../test/keycloak/create-realm.ts';
import { realmOfFile, realmSettings } from '../../../../../test/keycloak/realm-file.ts';
import type { Provided } from '../../../../../test/provided.ts';
import { withoutLimits } from '../../../../../test/without-limits.ts';
import { createLog } from '../../../src/observability/log.ts';
import { type Service, type ServiceOptions, startService } from '../../../src/service/service.ts';
import { readSettings } from '../../../src/settings.ts';
import { type Api, createApi } from '../../support/api.ts';
import { cpf } from '../../support/cpf.ts';
import { duringTests } from '../../../../../test/during-tests.ts';
import { concurrentLogins, keycloakSettings } from './keycloak-settings.ts';
import { addTestClients } from './test-clients.ts';
import { globalUser, passwordGrant } from './tokens.ts';

/** The service with a real Keycloak, and its first Global user. */
export interface KeycloakWorld extends Api {
  service: Service;
  keycloak: KeycloakAccess;
  realm: KeycloakRealm;
  /** The first Global user, whom the realm file contains. */
  global: { token: string };
  /** The log lines so far. */
  log: { level: number; msg: string; reason?: string }[];
  /** The settings of the service. */
  environment: Record<string, string>;
  /** Data of a new person, for POST /api/users. */
  newPerson(): { name: string; email: string; federalTaxId: string; type: 'Technician' };
  /** Starts another instance with the same database and realm. */
  another(extra?: Record<string, string>, options?: ServiceOptions): Promise<Service>;
  stop(): Promise<void>;
}

interface WorldOptions {
  /** Uses the realm that was imported. Default: a new realm from the same file, which the test may change. */
  imported?: boolean;
  /** Changes the new realm before it is created. */
  change?: (realm: Record<string, unknown>) => Record<string, unknown>;
  settings?: Record<string, string>;
}

let counter = 0;

/** The world of the tests of a file. */
export const useKeycloakWorld = (options?: WorldOptions): KeycloakWorld =>
  duringTests(
    () => startKeycloakWorld(options),
    (world) => world.stop(),
  );

/** Starts the service with a realm of a real Keycloak. */
export async function startKeycloakWorld({
  imported = false,
  change = (realm) => realm,
  settings = {},
}: WorldOptions = {}): Promise<KeycloakWorld> {
  const keycloak = inject('keycloak') as NonNullable<Provided['keycloak']>;
  const realm = await (imported
    ? useRealm(keycloak, keycloak.realm)
    : createRealm(keycloak, { ...change(realmOfFile()), ...concurrentLogins }));
  await addTestClients(realm.admin);
  const filesDir = await mkdtemp(join(await fastFolder(), 'profile-service-files-'));
  const environment = {
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    MANAGEMENT_PORT: '0',
    PUBLIC_URL: realmSettings.PUBLIC_URL,
    CORS_ORIGINS: realmSettings.WEB_URL,
    DATABASE_URL: await createTestDatabase(),
    STORAGE_DIR: filesDir,
    ...keycloakSettings(realm.url),
    IDENTITY_INTERNAL_URL: keycloak.internalUrl,
    ...withoutLimits,
    ...settings,
  };
  const log: KeycloakWorld['log'] = [];
  const services: Service[] = [];
  const another: KeycloakWorld['another'] = async (extra = {}, options = {}) => {
    const lines = createLog('info', { write: (line) => void log.push(JSON.parse(line) as KeycloakWorld['log'][number]) });
    const service = await startService(readSettings({ ...environment, ...extra }), { idleConnectionMs: 0, log: lines, ...options });
    services.push(service);
    return service;
  };
  const service = await another();
  return {
    ...createApi(service.url),
    service,
    keycloak,
    realm,
    global: { token: await passwordGrant(realm.url, globalUser) },
    log,
    environment,
    newPerson() {
      counter += 1;
      return {
        name: `Pessoa ${counter}`,
        email: `p-${randomUUID()}@example.com`,
        federalTaxId: cpf(200_000_000 + counter),
        type: 'Technician',
      };
    },
    another,
    async stop() {
      await Promise.all(services.map((running) => running.stop()));
      await realm.stop();
      await rm(filesDir, { recursive: true });
    },
  };
}
