import { join } from 'node:path';
import { run } from '../ci/command.ts';
import { cached } from './cache.ts';
import { requirePrograms } from '../programs.ts';
import { keycloakVersion } from './version.ts';

const unpack = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack';

/** The heap that Keycloak needs for the tests. The first compiler alone halves the CPU time of a start. */
export const javaOptions = '-Xms128m -Xmx512m -XX:MaxMetaspaceSize=256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1';

/** Fetches Keycloak with Maven and builds it for H2, once per version. Returns its folder. @throws Error without Java or Maven */
export async function installKeycloak(): Promise<string> {
  requirePrograms('java');
  const version = keycloakVersion();
  const name = `keycloak-${version}`;
  const folder = await cached(name, async (target) => {
    requirePrograms('mvn');
    const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
    // Maven 3.8 also creates a folder in its working directory.
    await run('mvn', ['-q', '-B', unpack, `-Dartifact=${artifact}`, `-DoutputDirectory=${target}`], { cwd: target });
    await run(join(target, name, 'bin', 'kc.sh'), ['build', '--db=dev-file'], { env: { JAVA_OPTS: javaOptions } });
  });
  return join(folder, name);
}
