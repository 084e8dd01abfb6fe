import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realmFile, realmSettings } from '../../test/keycloak/realm-file.ts';
import { run } from '../ci/command.ts';
import { cached } from './cache.ts';
import { javaOptions } from './install.ts';
import { keycloakVersion } from './version.ts';

/** The administrator of the master realm. Keycloak listens on the loopback interface only, so the password need not be secret. */
export const administrator = { username: 'admin', password: 'keycloak-test-admin' };

/** The JDBC URL of the H2 database in a folder. It writes each commit at once: by default, a killed Keycloak loses those of the last half second. */
export const databaseUrl = (folder: string): string =>
  `jdbc:h2:file:${join(folder, 'keycloakdb')};NON_KEYWORDS=VALUE;DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0`;

/** Creates a database and imports the realm of docker-compose.yml, once per version, realm file and settings. Returns the folder of the database. */
export async function importedDatabase(home: string): Promise<string> {
  const version = keycloakVersion();
  const parts = [version, readFileSync(realmFile, 'utf8'), JSON.stringify([realmSettings, administrator])];
  const key = createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);
  return cached(`keycloak-${version}-realm-${key}`, (folder) =>
    run(join(home, 'bin', 'kc.sh'), ['import', '--optimized', `--file=${realmFile}`, `--db-url=${databaseUrl(folder)}`], {
      env: {
        ...realmSettings,
        JAVA_OPTS: javaOptions,
        KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
      },
    }),
  );
}
