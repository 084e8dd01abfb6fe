// Behind `npm start` and `npm test`: installs what the lockfile names, then becomes the real program under the project's own Node.
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
  ci: ['node', 'scripts/ci.ts'],
};

const [name, ...args] = process.argv.slice(2);
const program = programs[name];
if (!program) {
  console.error(`usage: node scripts/bootstrap.mjs ${Object.keys(programs).join('|')} [argument…]`);
  process.exit(2);
}

// npm's own settings would otherwise reach pnpm and the programs below it.
const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key)));
env.PATH = bin + delimiter + env.PATH;

const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
const pnpm = existsSync(join(bin, 'pnpm')) ? [join(bin, 'pnpm')] : ['npx', '--yes', pinned];
const install = spawnSync(pnpm[0], [...pnpm.slice(1), 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'], {
  cwd: root,
  env: { ...env, CI: 'true' },
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
});
if (install.status !== 0) {
  console.error(`${install.stdout ?? ''}\nThe packages could not be installed.`);
  process.exit(install.status ?? 1);
}

const child = spawn(join(bin, program[0]), [...program.slice(1), ...args], { cwd: root, env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// Stopping npm ends npm and its shell, never this program: notice that the parent went and stop as well.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
