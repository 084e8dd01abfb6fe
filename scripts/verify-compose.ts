import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { freePort } from '../test/free-port.ts';
import { npmRun, recordResult, splitRecordFlag } from '../test/test-results.ts';
import { root } from './ci/command.ts';
import { type Outcome, runSteps } from './ci/steps.ts';
import { haveFilesChanged } from './compose/changes.ts';
import type { ClientSettings } from './compose/clients.ts';
import { dependencySteps } from './compose/dependency-steps.ts';
import { figuresOf } from './compose/figures.ts';
import { buildCommit, imageSteps } from './compose/image-steps.ts';
import { lifecycleSteps, upgradeSteps } from './compose/lifecycle-steps.ts';
import { ComposeProject, hasDockerEngine } from './compose/project.ts';
import { startSteps } from './compose/start-steps.ts';

const [image, earlierImage] = ['profile-service-api:verify', 'profile-service-api:verify-earlier'];

/** Writes the settings of both installations: with the secrets of .env.example, and with new ones. Their ports are free, and their load is not limited. */
async function writeSettings(development: string, production: string): Promise<ClientSettings> {
  const ports = { API_PORT: String(await freePort()), KEYCLOAK_PORT: String(await freePort()) };
  const addresses = { PUBLIC_URL: `http://localhost:${ports.API_PORT}`, IDENTITY_URL: `http://localhost:${ports.KEYCLOAK_PORT}` };
  const limits = { RATE_LIMIT_CALLER_PER_SECOND: '0', RATE_LIMIT_ADDRESS_PER_SECOND: '0' };
  const changes = Object.entries({ ...ports, ...addresses, ...limits }).map((pair) => pair.join('='));
  writeFileSync(development, [readFileSync(join(root, '.env.example'), 'utf8'), ...changes, ''].join('\n'));
  execFileSync('node', ['scripts/compose-env.mjs', '--file', production, ...changes], { cwd: root });
  return parseEnv(readFileSync(development, 'utf8')) as unknown as ClientSettings;
}

/** Runs all steps. @param from commit from which it upgrades */
async function verify(from: string): Promise<Outcome & { figures: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-compose-'));
  const [development, production] = [join(folder, 'development.env'), join(folder, 'production.env')];
  const settings = await writeSettings(development, production);
  const project = new ComposeProject(`profile-verify-${process.pid}`, development, image);
  let figures = '';
  try {
    const total = await runSteps({
      ...imageSteps(project),
      ...startSteps(project, settings),
      'measure the image and the instance': async () => console.log((figures = await figuresOf(project))),
      ...dependencySteps(project, settings),
      ...lifecycleSteps(project, settings),
      [`build the image of ${from}`]: async () => {
        await buildCommit(from, earlierImage);
        project.image = earlierImage;
      },
      ...upgradeSteps(project, settings, image, production),
    });
    return { ...total, figures };
  } finally {
    await project.result('down', '--volumes', '--remove-orphans');
    rmSync(folder, { recursive: true });
  }
}

/**
 * `npm run verify:compose`: builds the images and drives docker-compose.yml as an operator does, in a project of its own. Needs a Docker engine with compose v2.
 * `--from <commit>` names the commit from which it upgrades, by default the previous one. With `--if-changed-since <commit>` it does nothing if the
 * deployment files are those of that commit. The last line says how many steps passed and failed.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const { values } = parseArgs({ args, options: { from: { type: 'string', default: 'HEAD^' }, 'if-changed-since': { type: 'string' } } });
const since = values['if-changed-since'];
if (since !== undefined && !haveFilesChanged(since)) {
  console.log(`Not run: the deployment files are those of ${since}\n\n0 passed, 0 failed`);
} else if (!hasDockerEngine()) {
  console.log('There is no Docker engine with compose v2: install and start one.\n\n0 passed, 1 failed');
  process.exitCode = 1;
} else {
  const { figures, ...total } = await verify(values.from);
  if (record) await recordResult({ test: 'compose', command: npmRun('verify:compose', args), figures, ...total });
}
