import type { Steps } from '../ci/steps.ts';
import { clientOf, type ClientSettings, logIn } from './clients.ts';
import { expectEqual } from './expect.ts';
import { type ComposeProject, docker } from './project.ts';
import { checkRecords, createRecords } from './records.ts';

const servers = ['proxy', 'api', 'postgres', 'redis', 'keycloak', 'storage'];
const commands = ['storage-volume', 'migrate', 'geography'];

/** Starts everything on empty volumes and uses it through the published port. */
export const startSteps = (project: ComposeProject, settings: ClientSettings): Steps => ({
  'docker compose up --wait starts everything in order': async () => {
    await project.compose('up', '--wait');
    for (const name of servers) {
      const { State, RestartCount } = await project.container(name);
      expectEqual(name, [State.Status, State.Health?.Status, RestartCount], ['running', 'healthy', 0]);
    }
    const times = new Map<string, { started: string; finished: string }>();
    for (const name of [...servers, ...commands]) {
      const { State, RestartCount } = await project.container(name);
      if (commands.includes(name)) expectEqual(name, [State.Status, State.ExitCode, RestartCount], ['exited', 0, 0]);
      times.set(name, { started: State.StartedAt, finished: State.FinishedAt });
    }
    const order = [times.get('migrate'), times.get('geography')].map((time) => time?.finished ?? '');
    const starts = [times.get('geography'), times.get('api')].map((time) => time?.started ?? '');
    for (const [index, finished] of order.entries()) {
      if (finished > (starts[index] ?? '')) throw new Error('The geography or the API started before the previous command ended');
    }
  },

  'every container is unprivileged, and its files are read-only': async () => {
    for (const name of servers) {
      const { Config, HostConfig } = await project.container(name);
      expectEqual(`${name}: capabilities`, HostConfig.CapDrop, ['ALL']);
      expectEqual(`${name}: security options`, HostConfig.SecurityOpt, ['no-new-privileges:true']);
      if (name !== 'keycloak' && !/^[1-9]\d*:[1-9]\d*$/.test(Config.User)) throw new Error(`${name} runs as the user "${Config.User}"`);
      // PostgreSQL and Keycloak write outside their volumes.
      if (name !== 'postgres' && name !== 'keycloak') expectEqual(`${name}: read-only`, HostConfig.ReadonlyRootfs, true);
    }
    const { Id } = await project.container('api');
    expectEqual('user', (await docker('exec', Id, 'id', '-u')).trim(), '1000');
  },

  'tokens have the public issuer, and the API fetches the keys inside': async () => {
    const token = await logIn(settings);
    const { iss } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { iss: string };
    expectEqual('iss', iss, `${settings.IDENTITY_URL}/realms/profile`);
    const { text } = await project.result('exec', '-T', 'api', 'printenv', 'IDENTITY_INTERNAL_URL');
    expectEqual('IDENTITY_INTERNAL_URL', text.trim(), 'http://keycloak:8080');
    const { total } = await clientOf(settings, token).states.list.query({ limit: 1 });
    expectEqual('states', total, 27);
  },

  'a user, an organization and an attachment through the published port': async () => {
    project.records = await createRecords(settings);
    await checkRecords(settings, project.records);
  },
});
