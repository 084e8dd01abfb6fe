import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root, run } from './command.ts';

const manifests = /(^|\/)(package\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|\.pnpmfile\.cjs)$/;

/**
 * Lays out the files of the image without a Docker engine: the build, and the packages as the Dockerfile's stage `dependencies` leaves them.
 * Starts each program without settings. A program that reports its missing settings has found all of its imports. Throws when one does not.
 */
export async function startFromImageFiles(): Promise<void> {
  const image = mkdtempSync(join(tmpdir(), 'profile-service-image-'));
  try {
    for (const file of execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')) {
      if (!manifests.test(file)) continue;
      mkdirSync(dirname(join(image, file)), { recursive: true });
      cpSync(join(root, file), join(image, file));
    }
    for (const command of commandsOfStage('dependencies')) await run('sh', ['-c', command], { cwd: image, env: { CI: 'true' } });
    cpSync(join(root, 'apps/api/dist'), join(image, 'apps/api/dist'), { recursive: true });
    const programs = ['main.js', 'migrate.js', 'geography.js', 'clean-storage.js', 'backup.js', 'restore.js'];
    for (const program of programs) assertReportsMissingSettings(join(image, 'apps/api/dist', program));
  } finally {
    rmSync(image, { recursive: true });
  }
}

/** Returns the commands of the RUN instructions of a stage of the Dockerfile. */
function commandsOfStage(name: string): string[] {
  const stages = readFileSync(join(root, 'Dockerfile'), 'utf8').split(/^FROM /m);
  const stage = stages.find((text) => text.split('\n', 1)[0]?.endsWith(` AS ${name}`)) ?? '';
  const commands = [...stage.matchAll(/^RUN ((?:.*\\\n)*.*)$/gm)].map(([, command = '']) => command);
  if (commands.length === 0) throw new Error(`The Dockerfile has no stage ${name} with a RUN instruction`);
  return commands;
}

function assertReportsMissingSettings(program: string): void {
  const { status, stderr } = spawnSync(process.execPath, [program, 'folder'], { env: {}, encoding: 'utf8' });
  if (status !== 1 || !stderr.includes('DATABASE_URL is not set')) throw new Error(`${program} exited with ${status}:\n${stderr}`);
}
