import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { cachedRequirements } from '../../../../scripts/ci/python.ts';
import type { World } from '../world/world.ts';
import { type Pass, passesOf } from './passes.ts';

const ownFolder = import.meta.dirname;
const longestMinutes = 24 * 60;
const shortestSeconds = 3;

interface Options {
  minutes: number;
  seed: number;
  /** Runs only this pass. */
  pass: string | undefined;
}

/** Runs schemathesis over the whole document once for each kind of caller, within the time. A pass with findings has failed. */
export async function runSchemathesis(world: World, options: Options, interruption: AbortSignal) {
  const { minutes, seed } = options;
  const packages = await cachedRequirements('schemathesis', join(ownFolder, 'requirements.txt'));
  const folder = await mkdtemp(join(tmpdir(), 'profile-service-schemathesis-'));
  /** The number of passes without findings. */
  let passed = 0;
  /** What failed, and how, in one line, and the command that repeats it. */
  const failures: { what: string; command: string }[] = [];
  const end = performance.now() + Math.min(minutes, longestMinutes) * 60_000;
  let cases = 0;
  let overhead = 0;
  try {
    const passes = passesOf(world).filter(({ name }) => options.pass === undefined || name === options.pass);
    if (passes.length === 0) throw new Error(`There is no pass ${options.pass}`);
    for (const [index, pass] of passes.entries()) {
      if (interruption.aborted) break;
      await world.replenish();
      const began = performance.now();
      const shares = passes.slice(index).reduce((sum, { share }) => sum + share, 0);
      // Its time limit applies after it has read the document. That takes about as long as in the previous pass.
      const seconds = Math.max(shortestSeconds, Math.round((((end - began) / 1000) * pass.share) / shares - overhead));
      const { code, output } = await runPass(world.url, pass, { packages, folder, seconds, seed }, interruption);
      if (interruption.aborted) break;
      overhead = Math.max(0, (performance.now() - began) / 1000 - seconds);
      const { made, tested } = figuresIn(output);
      const isGood = code === 0 && made > 0;
      if (!isGood) console.log(output);
      console.log(
        `schemathesis as ${pass.name}: ${made} test cases on ${tested} operations in ${seconds} s, ${isGood ? 'nothing found' : 'FAILED'}`,
      );
      cases += made;
      if (isGood) passed += 1;
      else failures.push({ what: `schemathesis as ${pass.name}: ${findingsIn(output)}`, command: commandOf(pass, seconds, seed) });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  console.log(`\nschemathesis, seed ${seed}: ${cases} test cases`);
  return { passed, failures, figures: `seed ${seed}, ${cases} test cases in ${minutes} min` };
}

/** Figures in the summary of schemathesis. */
const figuresIn = (output: string): { made: number; tested: number } => ({
  made: Number(/(\d+) generated/.exec(output)?.[1] ?? 0),
  tested: Number(/Tested: +(\d+)/.exec(output)?.[1] ?? 0),
});

/** The findings in its report, in one line: the failed checks and the operations. */
function findingsIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const operations = new Set(lines.flatMap((line) => /^_+ (.+?) _+$/.exec(line)?.[1] ?? []));
  const checks = new Set(lines.flatMap((line) => /^- ([A-Z][^:]{3,80})$/.exec(line)?.[1] ?? []));
  const found = [...checks, ...operations].join('; ');
  return found === '' ? (lines.findLast((line) => line !== '') ?? 'no output') : found.slice(0, 300);
}

const commandOf = ({ name }: Pass, seconds: number, seed: number): string =>
  `npm run proof -- fuzz --pass "${name}" --minutes ${(seconds / 60).toFixed(1)} --seed ${seed}`;

/** Runs one pass. @param packages folder with the Python packages */
async function runPass(
  url: string,
  pass: Pass,
  { packages, folder, seconds, seed }: { packages: string; folder: string; seconds: number; seed: number },
  interruption: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  const file = join(folder, 'schemathesis.toml');
  await writeFile(file, `${await readFile(join(ownFolder, 'schemathesis.toml'), 'utf8')}\n${settingsOf(pass)}`);
  const phases = ['examples', 'coverage', 'fuzzing', ...(pass.stateful ? ['stateful'] : [])].join(',');
  const limits = ['--max-time', String(seconds), '--seed', String(seed), '--phases', phases, '--no-color'];
  const child = spawn('python3', ['-m', 'schemathesis.cli', '--config-file', file, 'run', `${url}/openapi.json`, ...limits], {
    cwd: folder,
    // Python would leave compiled files beside the hooks.
    env: {
      ...process.env,
      SCHEMATHESIS_HOOKS: 'hooks',
      PYTHONPATH: [ownFolder, packages].join(delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): boolean => child.kill();
  interruption.addEventListener('abort', end, { once: true });
  let output = '';
  const take = (text: Buffer): void => void (output += text.toString());
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const [code] = (await once(child, 'close')) as [number | null];
  interruption.removeEventListener('abort', end);
  return { code, output };
}

/** The settings that differ from pass to pass. */
const settingsOf = ({ tenants, userToken, serviceToken }: Pass): string =>
  [
    `[dictionaries.tenants]\nvalues = ${JSON.stringify(tenants)}`,
    ...(userToken === undefined ? [] : [`[auth.openapi.userToken]\nbearer = ${JSON.stringify(userToken)}`]),
    ...(serviceToken === undefined ? [] : [`[auth.openapi.serviceToken]\nbearer = ${JSON.stringify(serviceToken)}`]),
  ].join('\n');
