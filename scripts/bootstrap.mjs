// Runs behind `npm start`, `npm test` and `npm run proof`: installs the packages of the lockfile, then starts the program on the project's own Node.
// Plain JavaScript for Node 20 and later, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, withoutTools } from './bootstrap/install.mjs';
import { chooseNode, endWithParent, npxCommand, programEnvironment } from './bootstrap/platform.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const programs = {
  start: ['apps/api/local/start.ts'],
  backup: ['packages/operations/src/commands/backup.ts'],
  restore: ['packages/operations/src/commands/restore.ts'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  proof: ['scripts/proof.ts'],
  import: ['scripts/import.ts'],
  'client:pack': ['node_modules/pnpm/bin/pnpm.mjs', '--filter', '@profile-service/client', 'pack'],
  'example:frontend': ['examples/frontend/node_modules/vite/bin/vite.js', 'examples/frontend'],
  'example:webhook': ['examples/print-webhooks/main.ts'],
  bench: ['bench/main.ts'],
  nightly: ['scripts/nightly.ts'],
  ci: ['scripts/ci.ts'],
};

// Read before the installation, during which npm may end.
const parent = process.ppid;
const [name, ...args] = process.argv.slice(2);
const program = Object.hasOwn(programs, name ?? '') && programs[name];
if (!program) {
  console.error(`usage: node scripts/bootstrap.mjs ${Object.keys(programs).join('|')} [argument…]`);
  process.exit(2);
}

const { platform, arch, execPath } = process;
const glibc = process.report?.getReport().header.glibcVersionRuntime;
const node = chooseNode({ platform, arch, version: process.versions.node, glibc });
if (node.error) fail(node.error);

const env = programEnvironment(process.env, join(modules, '.bin') + delimiter);
// Node compiles each source file once and loads it from here afterwards, which halves the time of a start.
env.NODE_COMPILE_CACHE ??= join(modules, '.cache', 'node');

const installed = join(modules, 'pnpm', 'bin', 'pnpm.mjs');
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pnpm = existsSync(installed) ? [execPath, installed] : npxCommand(packageManager, { execPath, npmScript: process.env.npm_execpath });
// What operators run needs no tools of developers, and keeps them if another command has installed them.
const hasTools = existsSync(join(modules, 'vitest'));
const needsTools = !['start', 'backup', 'restore', 'import'].includes(name);
const options = needsTools || hasTools ? [] : withoutTools;
const isFirst = !existsSync(join(modules, '.modules.yaml')) || (needsTools && !hasTools);
if ((await install(pnpm, { cwd: root, env, isFirst, options, print: console.error })) !== 0) fail();

const nodeFile = node.file ? join(modules, node.file) : execPath;
if (!existsSync(nodeFile)) fail(`${nodeFile} was not installed. Remove node_modules and start again.`);

// The program runs in its own session: Ctrl-C goes to the whole session of the terminal, and the program must receive it only once, from here.
// Windows has no signals between processes: there, the program gets Ctrl-C from the console.
const detached = platform !== 'win32';
const [command, ...rest] = [...endWithParent(platform), nodeFile, ...program, ...args];
const child = spawn(command, rest, { cwd: root, env, stdio: 'inherit', detached });

// npm does not pass signals on to this process. Stop when the parent process has changed, which means that npm has ended.
const watch = setInterval(() => process.ppid !== parent && end('SIGTERM'), 500);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));

function end(signal) {
  clearInterval(watch);
  if (detached) child.kill(signal);
}

function fail(message) {
  if (message) console.error(message);
  if (['ci', 'proof'].includes(name)) console.log('0 passed, 1 failed');
  process.exit(1);
}

child.on('error', (error) => fail(error.message));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
