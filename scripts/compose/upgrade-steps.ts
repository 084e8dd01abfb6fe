import type { Steps } from '../ci/steps.ts';
import { buildCommit, buildFromText, buildWithMigration, furtherMigration } from './build.ts';
import type { ClientSettings } from './clients.ts';
import { expectEqual, expectPart } from './expect.ts';
import { underLoad } from './lifecycle-steps.ts';
import { type ComposeProject, docker } from './project.ts';
import { checkRecords, createRecords } from './records.ts';

const [earlier, next, broken] = [
  'profile-service-api:verify-earlier',
  'profile-service-api:verify-next',
  'profile-service-api:verify-broken',
];

/**
 * Upgrades an installation of another commit under load, and rolls it back to this one. It starts on empty volumes.
 * @param envFile the settings that the installation gets  @param from the other commit
 */
export function upgradeSteps(project: ComposeProject, settings: ClientSettings, envFile: string, from: string): Steps {
  const { image } = project;
  const instances = async () => (await project.containers('api')).map(({ Id }) => Id).toSorted();
  const migrations = async () => {
    const command = ['--tuples-only', '--no-align', '--command', 'select name from kysely_migration order by name'];
    const { text } = await project.result('exec', '-T', 'postgres', 'psql', '--username', 'postgres', '--dbname', 'profile', ...command);
    return text.split('\n').filter(Boolean);
  };

  /** Replaces the instances by those of another image. No request may fail. */
  async function replaceBy(other: string): Promise<void> {
    const old = await instances();
    project.image = other;
    await underLoad(project, settings, () => project.script('upgrade.sh'));
    expectEqual(
      'old instances',
      (await instances()).filter((id) => old.includes(id)),
      [],
    );
    const id = (await docker('image', 'inspect', '--format', '{{.Id}}', other)).trim();
    expectEqual(
      'images',
      (await project.containers('api')).map(({ Image }) => Image),
      [id, id],
    );
    await checkRecords(settings, project.records);
  }

  return {
    [`build the image of ${from}, and one with a further migration`]: async () => {
      await buildCommit(from, earlier);
      await buildWithMigration(next);
    },

    'upgrade from the earlier image under load, with a migration': async () => {
      await project.compose('down', '--volumes');
      project.envFile = envFile;
      project.image = earlier;
      await project.compose('up', '--wait', '--scale', 'api=2');
      project.records = await createRecords(settings);
      const before = await migrations();
      await replaceBy(next);
      const applied = (await migrations()).filter((name) => !before.includes(name));
      console.log(`Applied ${applied.join(', ')}`);
      expectEqual('the last migration', applied.at(-1), furtherMigration);
    },

    'a failed upgrade under load keeps the old instances': async () => {
      buildFromText(`FROM ${image}\nCMD ["node", "--eval", "console.log('A fault'), process.exit(1)"]\n`, broken);
      const old = await instances();
      project.image = broken;
      await underLoad(project, settings, async () => {
        const { code, text } = await project.scriptResult('upgrade.sh');
        if (code === 0) throw new Error(`upgrade.sh did not fail:\n${text}`);
        expectPart('output', text, 'A fault');
      });
      expectEqual('instances', await instances(), old);
    },

    'a rollback under load on the newer schema': async () => {
      await replaceBy(image);
      expectEqual('the last migration', (await migrations()).at(-1), furtherMigration);
    },
  };
}
