import { once } from 'node:events';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Steps } from '../ci/steps.ts';
import type { ClientSettings } from './clients.ts';
import { expectEqual } from './expect.ts';
import { commandsOf } from './page.ts';
import type { ComposeProject } from './project.ts';
import { checkRecords } from './records.ts';

/**
 * Backs the running installation up, and restores it into empty volumes.
 * @param folder for the files of the backup  @param limitedEnvFile settings that allow an address 5 requests per second, for the restored installation
 */
export const backupSteps = (project: ComposeProject, settings: ClientSettings, folder: string, limitedEnvFile: string): Steps => ({
  'the backup of the page, restored into empty volumes': async () => {
    const mismatch = await pgDumpMismatch(project);
    if (mismatch !== undefined) {
      project.envFile = limitedEnvFile;
      await project.compose('up', '--wait');
      return { skipped: mismatch };
    }
    await project.commands(commandsOf('6. Back up'), folder);
    await project.compose('down', '--volumes');
    project.envFile = limitedEnvFile;
    await project.commands(commandsOf('Restore'), folder);
    await checkRecords(settings, project.records);
    return undefined;
  },

  'limits count the address that the TLS proxy adds, not one that the client names': async () => {
    const flood = Array.from({ length: 40 }, (_, index) => statusFrom('127.0.0.1', settings, `192.0.2.${index}`));
    const others = ['127.0.0.2', '127.0.0.3'].map((address) => statusFrom(address, settings, '192.0.2.1'));
    if (!(await Promise.all(flood)).includes(429)) throw new Error('No request of the busy address was limited');
    expectEqual('status of other addresses', await Promise.all(others), [401, 401]);
  },
});

/** Says that the image of PostgreSQL cannot dump its own databases, as some substitutes for `postgres:18` cannot: pg_dump refuses a newer server. */
async function pgDumpMismatch(project: ComposeProject): Promise<string | undefined> {
  const { stdout } = await project.result('exec', '-T', 'postgres', 'sh', '-c', 'postgres --version && pg_dump --version');
  const [server, client] = stdout.split('\n').map((line) => /\) (\d+)/.exec(line)?.[1]);
  if (server === undefined || client === undefined) throw new Error(`The versions of postgres and pg_dump are unknown: ${stdout}`);
  return server === client ? undefined : `the image has PostgreSQL ${server} and pg_dump ${client}`;
}

/** Sends a request without a token from an address of this machine. Returns its status. @param named the address that it names itself */
async function statusFrom(localAddress: string, { PUBLIC_URL }: ClientSettings, named: string): Promise<number | undefined> {
  const sending = request(`${PUBLIC_URL}/api/states`, { localAddress, agent: false, headers: { 'x-forwarded-for': named } });
  const [response] = (await once(sending.end(), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
