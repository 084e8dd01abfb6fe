import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { hasDockerEngine } from './compose/project.ts';
import { hasGo } from './go-program.ts';
import { isPostgres15 } from './postgres15.ts';

/** A program that tests need besides the npm packages. */
interface Program {
  isInstalled: () => boolean;
  /** The Debian package that installs it. */
  debian?: string;
  /** How to install a program that Debian does not have. */
  remedy?: string;
}

const runs =
  (command: string, ...args: string[]) =>
  (): boolean =>
    spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Debian installs servers in /usr/sbin, which is not on the PATH of ordinary users. */
const isOnPath =
  (...names: string[]) =>
  (): boolean =>
    [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].some((folder) => names.some((name) => existsSync(join(folder, name))));

const hasPip = runs('python3', '-m', 'pip', '--version');

/** All programs that a test needs, by the names that messages use. */
const programs = {
  'redis-server': { isInstalled: isOnPath('redis-server'), debian: 'redis-server' },
  pgbouncer: { isInstalled: isOnPath('pgbouncer'), debian: 'pgbouncer' },
  chromium: { isInstalled: isOnPath('chromium', 'chromium-browser', 'google-chrome'), debian: 'chromium' },
  soffice: { isInstalled: isOnPath('soffice'), debian: 'libreoffice-calc-nogui' },
  'python3 3.11': { isInstalled: runs('python3', '-c', 'import sys; assert sys.version_info >= (3, 11)'), debian: 'python3' },
  pip: { isInstalled: hasPip, debian: 'python3-pip' },
  // pip installs Go where the machine has none.
  go: { isInstalled: () => hasGo() || hasPip(), debian: 'python3-pip' },
  java: { isInstalled: hasJava, debian: 'default-jre-headless' },
  javac: { isInstalled: runs('javac', '--release', '17', '--version'), debian: 'default-jdk-headless' },
  mvn: { isInstalled: isOnPath('mvn'), debian: 'maven' },
  promtool: { isInstalled: () => runs(process.env['PROMTOOL'] ?? 'promtool', '--version')(), debian: 'prometheus' },
  'postgres 15': { isInstalled: isPostgres15, debian: 'postgresql-15' },
  libfaketime: { isInstalled: () => globSync('/usr/lib/*/faketime/libfaketime.so.1').length > 0, debian: 'libfaketime' },
  docker: { isInstalled: hasDockerEngine, remedy: 'a running Docker engine with compose v2: https://docs.docker.com/engine/install' },
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;

/** Keycloak needs Java 17 or later: that of JAVA_HOME, or else of the PATH. */
function hasJava(): boolean {
  const home = process.env['JAVA_HOME'];
  const { stderr } = spawnSync(home ? join(home, 'bin', 'java') : 'java', ['-version'], { encoding: 'utf8' });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= 17;
}

/** Returns the programs that are not installed, each once. */
export const missingPrograms = (names: readonly ProgramName[], isInstalled = (name: ProgramName) => programs[name].isInstalled()) =>
  [...new Set(names)].filter((name) => !isInstalled(name));

/** Returns the Debian packages of the programs, each once. */
export const packagesOf = (names: readonly ProgramName[]): string[] => [
  ...new Set(names.map((name): Program => programs[name]).flatMap(({ debian = [] }) => debian)),
];

/** Names all missing programs, and the command that installs them. */
export function describeMissing(names: readonly ProgramName[]): string {
  const packages = packagesOf(names);
  const remedies = names.map((name): Program => programs[name]).flatMap(({ remedy = [] }) => remedy);
  const commands = packages.length > 0 ? [`apt-get install -y ${packages.join(' ')}`] : [];
  return [`Missing: ${names.join(', ')}. Install:`, ...[...commands, ...remedies].map((line) => `  ${line}`)].join('\n');
}

/** @throws Error that names all of the programs that are missing */
export function requirePrograms(...names: ProgramName[]): void {
  const missing = missingPrograms(names);
  if (missing.length > 0) throw new Error(describeMissing(missing));
}
