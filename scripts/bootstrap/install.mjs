// Installs the packages of the lockfile, and says how far it is. Plain JavaScript for Node 20 and later, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const reportEveryMs = 3_000;
const linesOfFailure = 20;
/** Arguments that leave out the packages that only developers need. */
export const withoutTools = ['--prod', '--filter=!@profile-service/bench', '--filter=!profile-service-example-frontend'];
// pnpm verifies the lockfile when it writes it. Trusting it here halves the time of the first start and makes later starts work offline.
const fixedOptions = ['--frozen-lockfile', '--trust-lockfile', '--prefer-offline', '--reporter=ndjson'];

/**
 * Runs the installation of pnpm. Prints plain lines, for terminals and pipes alike: at once and every 3 seconds in the first start, otherwise only if it takes longer.
 * @param {string[]} pnpm its command line
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, isFirst: boolean, options?: string[], print?: (line: string) => void }} run
 * @returns {Promise<number>} exit code
 */
export async function install(pnpm, { cwd, env, isFirst, options = [], print = console.log }) {
  const startedAt = Date.now();
  const counter = createCounter();
  if (isFirst) print('Installing packages (only once) …');
  const timer = setInterval(() => print(`  ${counter.describe()} (${Math.round((Date.now() - startedAt) / 1000)} s)`), reportEveryMs);

  const [command, ...args] = pnpm;
  const child = spawn(command, [...args, 'install', ...fixedOptions, ...options], {
    cwd,
    env: { ...env, CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => counter.read(line));
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve((counter.read(String(error)), 1)));
    child.on('close', (status) => resolve(status ?? 1));
  });
  clearInterval(timer);
  if (code !== 0) print(`\n${explain(counter.other, cwd)}`);
  else if (isFirst) print(`  ${counter.describe()}`);
  return code;
}

/**
 * Counts packages and bytes in the messages of pnpm's reporter `ndjson`. `other` has the lines that are no such messages, and the texts of errors.
 * @returns {{ other: string[], read(line: string): void, describe(): string }}
 */
function createCounter() {
  const other = [];
  const sizes = new Map();
  const bytes = new Map();
  let total = 0;
  let done = 0;

  function read(line) {
    const message = parse(line);
    if (message === undefined) return void other.push(line);
    const { name, level, status, packageId } = message;
    if (level === 'error' || level === 'warn') other.push(message.err?.message ?? message.message ?? line);
    if (name === 'pnpm:stats') total += message.added ?? 0;
    if (name === 'pnpm:progress' && status === 'imported') done += 1;
    if (name === 'pnpm:progress' && status === 'fetched') bytes.set(packageId, sizes.get(packageId) ?? 0);
    if (name === 'pnpm:fetching-progress' && status === 'started') sizes.set(packageId, message.size ?? 0);
    if (name === 'pnpm:fetching-progress' && status === 'in_progress') bytes.set(packageId, message.downloaded ?? 0);
  }

  function describe() {
    if (total === 0) return 'fetching the package manager pnpm';
    const sum = [...bytes.values()].reduce((all, size) => all + size, 0);
    return `${done} of ${total} packages${sum > 0 ? `, ${Math.round(sum / 1e6)} MB downloaded` : ''}`;
  }

  return { other, read, describe };
}

function parse(line) {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Returns what to print about a failed installation: its last lines, and the cause if they name a known one.
 * @param {string[]} lines @param {string} folder of the project
 */
function explain(lines, folder) {
  const text = lines.join('\n');
  const causes = [
    [/ENOSPC|No space left|os error 28\b/i, `The disk of ${folder} is full. The packages need up to 800 MB.`],
    [/EACCES|EPERM|EROFS|Permission denied|Read-only file system/i, `The folder ${folder} or the cache of npm cannot be written.`],
    [/spawn npx|npx: not found/, 'npx was not found. Install npm.'],
    [
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|error sending request|tcp connect|dns error/i,
      'The npm registry cannot be reached. Check the network, the proxy, and the address that `npm config get registry` prints.',
    ],
  ];
  const cause = causes.find(([pattern]) => pattern.test(text))?.[1];
  const last = lines.filter((line) => line.trim() !== '').slice(-linesOfFailure);
  return [...last, '', 'The packages could not be installed.', ...(cause ? [cause] : [])].join('\n');
}
