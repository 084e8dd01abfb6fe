// Behind `npm start`, `npm test` and the longer tests: installs what the lockfile names, then becomes the real program under the project's own Node.
// Plain JavaScript for any Node from 18 on, since it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const programs = {
  start: ['node', 'apps/api/local/start.ts'],
  test: ['vitest', 'run'],
  'test:storage': ['node', 'scripts/test-storage.ts'],
  'test:isolation': ['node', 'apps/api/isolation/main.ts'],
  'test:fuzz': ['node', 'apps/api/fuzz/main.ts'],
  'test:mutants': ['node', 'apps/api/mutants/main.ts'],
  nightly: ['node', 'scripts/nightly.ts'],
  ci: ['node', 'scripts/ci.ts'],
};

const [name, ...args] = process.argv.slice(2);
const program = Object.hasOwn(programs, name ?? '') && programs[name];
if (!program) {
  console.error(`usage: node scripts/bootstrap.mjs ${Object.keys(programs).join('|')} [argument…]`);
  process.exit(2);
}

// npm's own settings would otherwise reach pnpm and the programs below it.
const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key)));
env.PATH = bin + delimiter + env.PATH;

const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
const pnpm = existsSync(join(bin, 'pnpm')) ? [join(bin, 'pnpm')] : ['npx', '--yes', pinned];
// The lockfile was judged when it was written: to trust it here halves the first start, and lets later ones do without a network.
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

// In a session of its own, so that Ctrl-C, which a terminal sends to everybody, reaches the program once, and its end is awaited here.
// Even when this process is killed with -9 the program is told to end; macOS has no such thing.
const untilParentEnds = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'TERM'] : [];
const [command, ...rest] = [...untilParentEnds, join(bin, program[0]), ...program.slice(1), ...args];
const child = spawn(command, rest, { cwd: root, env, stdio: 'inherit', detached: true });

// Stopping npm ends npm and its shell, never this program: notice that the parent went and stop as well.
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
