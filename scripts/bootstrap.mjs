// Runs behind `npm start`, `npm test` and the long tests: installs the packages of the lockfile, then starts the program on the project's own Node.
// Plain JavaScript for Node 18 and later, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const programs = {
  start: ['node', 'apps/api/local/start.ts'],
  test: ['vitest', 'run'],
  'test:keycloak': ['node', 'scripts/test-keycloak.ts'],
  'test:storage': ['node', 'scripts/test-storage.ts'],
  'test:deploy': ['node', 'scripts/test-deploy.ts'],
  'test:clients': ['node', 'scripts/test-clients.ts'],
  'test:postgres15': ['node', 'scripts/test-postgres15.ts'],
  'test:isolation': ['node', 'apps/api/isolation/main.ts'],
  'test:fuzz': ['node', 'apps/api/fuzz/main.ts'],
  'test:mutants': ['node', 'apps/api/mutants/main.ts'],
  'verify:compose': ['node', 'scripts/verify-compose.ts'],
  bench: ['node', 'bench/main.ts'],
  nightly: ['node', 'scripts/nightly.ts'],
  ci: ['node', 'scripts/ci.ts'],
};

const [name, ...args] = process.argv.slice(2);
const program = Object.hasOwn(programs, name ?? '') && programs[name];
if (!program) {
  console.error(`usage: node scripts/bootstrap.mjs ${Object.keys(programs).join('|')} [argument…]`);
  process.exit(2);
}

// Without this, npm's own settings reach pnpm and the programs that it starts.
const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key)));
env.PATH = bin + delimiter + env.PATH;
// Node compiles each source file once and loads it from here afterwards, which halves the time of a start.
env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'node');

const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
const pnpm = existsSync(join(bin, 'pnpm')) ? [join(bin, 'pnpm')] : ['npx', '--yes', pinned];
// pnpm verifies the lockfile when it writes it. Trusting it here halves the time of the first start and makes later starts work offline.
const options = ['--frozen-lockfile', '--trust-lockfile', '--prefer-offline', '--reporter=append-only'];
const install = spawnSync(pnpm[0], [...pnpm.slice(1), 'install', ...options], {
  cwd: root,
  env: { ...env, CI: 'true' },
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
});
if (install.status !== 0) {
  console.error(`${install.stdout ?? ''}\nThe packages could not be installed.`);
  if (name === 'ci') console.log('0 passed, 1 failed');
  process.exit(install.status ?? 1);
}

// The program runs in its own session: Ctrl-C goes to the whole session of the terminal, and the program must receive it only once, from here.
// setpriv makes Linux end the program when this process dies, even by SIGKILL. macOS has no equivalent.
const endWithParent = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'TERM'] : [];
const [command, ...rest] = [...endWithParent, join(bin, program[0]), ...program.slice(1), ...args];
const child = spawn(command, rest, { cwd: root, env, stdio: 'inherit', detached: true });

// npm does not pass signals on to this process. Stop when the parent process has changed, which means that npm has ended.
const parent = process.ppid;
const watch = setInterval(() => process.ppid !== parent && end('SIGTERM'), 500);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));

function end(signal) {
  clearInterval(watch);
  child.kill(signal);
}

child.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
