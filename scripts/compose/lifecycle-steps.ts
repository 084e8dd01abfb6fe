import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import type { Steps } from '../ci/steps.ts';
import { clientOf, type ClientSettings, logIn, portalToken } from './clients.ts';
import { expectEqual, expectPart } from './expect.ts';
import { startLoad } from './load.ts';
import { type ComposeProject, docker } from './project.ts';
import { checkRecords, createRecords } from './records.ts';

const loadConnections = 16;

/** Stops, restarts and upgrades the running project. */
export const lifecycleSteps = (project: ComposeProject, settings: ClientSettings): Steps => ({
  'on SIGTERM under load, an instance drains and exits with 0': async () => {
    await project.compose('up', '--detach', '--wait', '--no-recreate', '--scale', 'api=2');
    const load = startLoad(clientOf(settings, await logIn(settings)), loadConnections);
    await pause(2_000);
    const [instance] = await project.containers('api');
    await docker('stop', '--time', '15', instance?.Id ?? '');
    await pause(2_000);
    console.log(`${await load.end()} requests, none failed`);
    const [stopped] = JSON.parse(await docker('inspect', instance?.Id ?? '')) as [typeof instance];
    expectEqual('exit code', stopped?.State.ExitCode, 0);
  },

  'data outlives docker compose down': async () => {
    await project.compose('down');
    await project.compose('up', '--wait');
    await checkRecords(settings, project.records);
  },
});

/** Upgrades an installation of another commit, gives it other secrets, and deletes it. It starts on empty volumes with the secrets of .env.example. */
export function upgradeSteps(project: ComposeProject, settings: ClientSettings, image: string, newEnvFile: string): Steps {
  return {
    'upgrade from the earlier image under load': async () => {
      await project.compose('down', '--volumes');
      await project.compose('up', '--wait', '--scale', 'api=2');
      project.records = await createRecords(settings);
      const old = new Set((await project.containers('api')).map(({ Id }) => Id));
      project.image = image;
      const load = startLoad(clientOf(settings, await logIn(settings)), loadConnections);
      await project.script('upgrade.sh');
      await pause(2_000);
      console.log(`${await load.end()} requests, none failed`);
      const instances = await project.containers('api');
      expectEqual('new instances', [instances.length, instances.some(({ Id }) => old.has(Id))], [2, false]);
      await checkRecords(settings, project.records);
    },

    'with new secrets over old volumes, the migration fails and the API stays down': async () => {
      await project.compose('down');
      const oldEnvFile = project.envFile;
      project.envFile = newEnvFile;
      try {
        const { code, text } = await project.result('up', '--detach');
        if (code === 0) throw new Error(`docker compose up did not fail:\n${text}`);
        const logs = (await project.result('logs', 'migrate')).text;
        expectPart('log of the migration', logs, 'password authentication failed');
        for (const { State } of await project.containers('api')) expectEqual('state of the API', State.Status, 'created');
      } finally {
        await project.compose('down');
        project.envFile = oldEnvFile;
      }
    },

    'rotate-secrets.sh gives the volumes the new secrets': async () => {
      const oldEnvFile = project.envFile;
      project.envFile = newEnvFile;
      await project.script('rotate-secrets.sh', oldEnvFile);
      const fresh = { ...settings, ...parseEnv(readFileSync(newEnvFile, 'utf8')) };
      await checkRecords(fresh, project.records);
      await portalToken(fresh);
    },
  };
}
