import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root, run } from '../ci/command.ts';

/** The migration that `buildWithMigration` adds. */
export const furtherMigration = '9999-verify-compose';

const build = (image: string, folder: string) => run('docker', ['build', '--quiet', '--tag', image, folder]);

/** Builds the image of another commit. */
export const buildCommit = (commit: string, image: string): Promise<void> =>
  inTemporaryFolder(async (folder) => {
    execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], { cwd: root });
    try {
      await build(image, folder);
    } finally {
      execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root });
    }
  });

/** Builds the image of the working tree with one more migration, so that an upgrade to it always has one. It changes a table that the load writes to. */
export const buildWithMigration = (image: string): Promise<void> =>
  inTemporaryFolder(async (folder) => {
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
    for (const file of files.split('\0').filter(Boolean)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file), { recursive: true, verbatimSymlinks: true });
    }
    const migrations = join(folder, 'packages/db/src/migrations');
    const lines = [
      "import { sql } from 'kysely';",
      'export const further = { async up(db) {',
      'await sql`alter table apps add column verify_compose text; create index on apps (verify_compose)`.execute(db); } };',
    ];
    writeFileSync(join(migrations, `${furtherMigration}.ts`), lines.join('\n'));
    const index = readFileSync(join(migrations, 'index.ts'), 'utf8');
    const changed = index.replace(/\n};\n$/, `\n  '${furtherMigration}': further,\n};\n`);
    if (changed === index) throw new Error('The list of migrations does not end as expected');
    writeFileSync(join(migrations, 'index.ts'), `import { further } from './${furtherMigration}.ts';\n${changed}`);
    await build(image, folder);
  });

/** Builds an image from the text of a Dockerfile without files. */
export function buildFromText(dockerfile: string, image: string): void {
  execFileSync('docker', ['build', '--quiet', '--tag', image, '-'], { input: dockerfile, stdio: ['pipe', 'ignore', 'inherit'] });
}

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-build-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
