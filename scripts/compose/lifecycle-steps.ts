import { setTimeout as pause } from 'node:timers/promises';
import type { Steps } from '../ci/steps.ts';
import { clientOf, type ClientSettings, logIn } from './clients.ts';
import { expectEqual } from './expect.ts';
import { startLoad } from './load.ts';
import { type ComposeProject, docker } from './project.ts';
import { checkRecords } from './records.ts';

/** Stops and restarts the running project. */
export const lifecycleSteps = (project: ComposeProject, settings: ClientSettings): Steps => ({
  'on SIGTERM under load, an instance drains and exits with 0': () =>
    underLoad(project, settings, async () => {
      const [instance] = await project.containers('api');
      await docker('stop', instance?.Id ?? '');
      const [stopped] = JSON.parse(await docker('inspect', instance?.Id ?? '')) as [typeof instance];
      expectEqual('exit code', stopped?.State.ExitCode, 0);
    }),

  'data outlives docker compose down': async () => {
    await project.compose('down');
    await project.compose('up', '--wait');
    await checkRecords(settings, project.records);
  },
});

/** Runs an action while requests and transfers of files run. Throws if one of them fails. */
export async function underLoad(project: ComposeProject, settings: ClientSettings, action: () => Promise<void>): Promise<void> {
  const load = startLoad(clientOf(settings, await logIn(settings)), project.records.organizationId);
  try {
    await pause(2_000);
    await action();
    await pause(2_000);
  } catch (error) {
    await load.end().catch((failure: Error) => console.error(failure.message));
    throw error;
  }
  console.log(`${await load.end()} requests, none failed`);
}
