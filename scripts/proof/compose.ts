import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { freePort, freePortPair } from '../../test/free-port.ts';
import { npmRun, recordResult, splitRecordFlag } from '../../test/test-results.ts';
import { root, run } from '../ci/command.ts';
import { type Outcome, runSteps } from '../ci/steps.ts';
import { backupSteps } from '../compose/backup-steps.ts';
import { haveFilesChanged, isCommit } from '../compose/changes.ts';
import type { ClientSettings } from '../compose/clients.ts';
import { demoSteps } from '../compose/demo-steps.ts';
import { dependencySteps } from '../compose/dependency-steps.ts';
import { figuresOf } from '../compose/figures.ts';
import { imageSteps } from '../compose/image-steps.ts';
import { lifecycleSteps } from '../compose/lifecycle-steps.ts';
import { commandsOf } from '../compose/page.ts';
import { ComposeProject } from '../compose/project.ts';
import { secretSteps } from '../compose/secret-steps.ts';
import { startSteps } from '../compose/start-steps.ts';
import { startTlsProxy, type TlsProxy } from '../compose/tls-proxy.ts';
import { upgradeSteps } from '../compose/upgrade-steps.ts';

const image = 'profile-service-api:verify';

/** The files with the settings of the installations. */
interface EnvFiles {
  /** As docs/run/production.md writes it. */
  production: string;
  /** The same, with few requests per address. */
  limited: string;
  /** With the secrets of .env.example. */
  development: string;
  /** The same with new secrets. */
  rotated: string;
}

/** Writes the settings of all installations. Their ports are free, and their load is not limited. */
async function writeSettings(folder: string, ports: { tls: number; api: number; keycloak: number }): Promise<EnvFiles> {
  const fileOf = (name: string) => join(folder, `${name}.env`);
  const files = {
    production: fileOf('production'),
    limited: fileOf('limited'),
    development: fileOf('development'),
    rotated: fileOf('rotated'),
  };
  const changes = [
    `API_PORT=${ports.api}`,
    `KEYCLOAK_PORT=${ports.keycloak}`,
    'RATE_LIMIT_CALLER_PER_SECOND=0',
    'RATE_LIMIT_ADDRESS_PER_SECOND=0',
  ];
  const command = commandsOf('1. Write the settings').replaceAll(/https:\/\/[\w.]+/g, `$&:${ports.tls}`);
  const names = "'BOOTSTRAP_GLOBAL_NAME=José da Silva' SMTP_PASSWORD=BKx+9/a=";
  await run('bash', ['-euc', `${command} ${names} ${changes.join(' ')} --file ${files.production}`]);
  writeFileSync(files.limited, `${readFileSync(files.production, 'utf8')}\nRATE_LIMIT_ADDRESS_PER_SECOND=5\n`);

  changes.push(`PUBLIC_URL=http://localhost:${ports.api}`, `IDENTITY_URL=http://localhost:${ports.keycloak}`);
  writeFileSync(files.development, [readFileSync(join(root, '.env.example'), 'utf8'), ...changes, ''].join('\n'));
  await run('node', ['scripts/compose-env.mjs', '--file', files.rotated, ...changes]);
  return files;
}

const settingsIn = (file: string) => parseEnv(readFileSync(file, 'utf8')) as unknown as ClientSettings;

/** Runs all steps. @param from commit from which it upgrades */
async function verify(from: string): Promise<Outcome & { figures: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-compose-'));
  const ports = { tls: await freePort(), api: await freePort(), keycloak: await freePort() };
  const files = await writeSettings(folder, ports);
  const [production, development] = [settingsIn(files.production), settingsIn(files.development)];
  const project = new ComposeProject(`profile-verify-${process.pid}`, files.production, image);
  let figures = '';
  let tlsProxy: TlsProxy | undefined;
  try {
    const total = await runSteps({
      ...demoSteps(await freePortPair(), folder),
      ...imageSteps(project, files.development),
      'start nginx as TLS proxy': async () => void (tlsProxy = await startTlsProxy(folder, ports)),
      ...startSteps(project, production),
      'measure the image and the instance': async () => console.log((figures = await figuresOf(project))),
      ...dependencySteps(project, production),
      ...lifecycleSteps(project, production),
      ...backupSteps(project, production, folder, files.limited),
      ...upgradeSteps(project, development, files.development, from),
      ...secretSteps(project, development, files),
    });
    return { ...total, figures };
  } finally {
    await tlsProxy?.stop();
    await project.result('down', '--volumes', '--remove-orphans');
    rmSync(folder, { recursive: true });
  }
}

/**
 * `npm run proof -- compose`: builds the images and drives the demo container as a newcomer does, and docker-compose.yml as an operator does, in projects of their own.
 * `--from <commit>` names the commit from which it upgrades. With `--if-changed-since <commit>` it does nothing if the deployment files are those of that
 * commit, and otherwise upgrades from it. Without both, it upgrades from the previous commit. The last line says how many steps passed and failed.
 */
const { record, args } = splitRecordFlag(process.argv.slice(2));
const { values } = parseArgs({ args, options: { from: { type: 'string' }, 'if-changed-since': { type: 'string' } } });
const since = values['if-changed-since'];
if (since !== undefined && !haveFilesChanged(since)) {
  console.log(`Not run: the deployment files are those of ${since}\n\n0 passed, 0 failed`);
} else {
  const { figures, ...total } = await verify(values.from ?? (since !== undefined && isCommit(since) ? since : 'HEAD^'));
  if (record) await recordResult({ test: 'compose', command: npmRun('proof', ['compose', ...args]), figures, ...total });
}
