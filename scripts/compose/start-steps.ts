import type { ProfileError } from '@profile-service/client';
import { root } from '../ci/command.ts';
import type { Steps } from '../ci/steps.ts';
import { clientOf, type ClientSettings, logIn } from './clients.ts';
import { expectEqual } from './expect.ts';
import { commandsOf } from './page.ts';
import type { ComposeProject } from './project.ts';
import { checkRecords, createRecords, transfer } from './records.ts';
import { expectStartOrder } from './start-order.ts';

const servers = ['proxy', 'api', 'postgres', 'redis', 'keycloak', 'storage'];
const commands = ['storage-volume', 'migrate', 'geography'];

/** Starts everything on empty volumes and uses it through the TLS proxy. */
export const startSteps = (project: ComposeProject, settings: ClientSettings): Steps => ({
  'docker compose up --wait starts everything in order, with the settings of the page': async () => {
    await expectStartOrder(project.name, () => project.commands(commandsOf('2. Start').split('\n', 1)[0] ?? '', root));
    for (const name of servers)
      for (const { State, RestartCount } of await project.containers(name))
        expectEqual(name, [State.Status, State.Health?.Status, RestartCount], ['running', 'healthy', 0]);
    for (const name of commands) {
      const { State, RestartCount } = await project.container(name);
      expectEqual(name, [State.Status, State.ExitCode, RestartCount], ['exited', 0, 0]);
    }
    expectEqual('instances of the API', (await project.containers('api')).length, 2);
    const environment = await project.result('exec', '-T', 'api', 'printenv', 'NODE_ENV', 'TRUST_PROXY', 'BOOTSTRAP_GLOBAL_NAME');
    expectEqual('settings of the API', environment.text, `production\n2\n${settings.BOOTSTRAP_GLOBAL_NAME}\n`);
    expectEqual(
      'SMTP_PASSWORD',
      (await project.result('exec', '-T', 'keycloak', 'printenv', 'SMTP_PASSWORD')).text,
      `${settings.SMTP_PASSWORD}\n`,
    );
  },

  'all containers but storage-volume are unprivileged, and all files but those of PostgreSQL and Keycloak are read-only': async () => {
    for (const name of [...servers, ...commands]) {
      const isRoot = name === 'storage-volume';
      for (const { Config, HostConfig } of await project.containers(name)) {
        const added = (HostConfig.CapAdd ?? []).map((capability) => capability.replace('CAP_', ''));
        expectEqual(`${name}: capabilities`, [HostConfig.CapDrop, added], [['ALL'], isRoot ? ['CHOWN'] : []]);
        expectEqual(`${name}: security options`, HostConfig.SecurityOpt, ['no-new-privileges:true']);
        // Keycloak has the user of its image.
        if (!isRoot && !/^[1-9]\d*(:[1-9]\d*)?$/.test(Config.User)) throw new Error(`${name} runs as the user "${Config.User}"`);
        // PostgreSQL and Keycloak write outside their volumes.
        if (name !== 'postgres' && name !== 'keycloak') expectEqual(`${name}: read-only`, HostConfig.ReadonlyRootfs, true);
      }
    }
    expectEqual('user', (await project.result('exec', '-T', 'api', 'id', '-u')).text.trim(), '1000');
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

  'a user, an organization, an attachment, and a file of 20 MiB through the TLS proxy': async () => {
    project.records = await createRecords(settings);
    await checkRecords(settings, project.records);
    await transfer(clientOf(settings, await logIn(settings)), project.records.organizationId, 20 * 1024 ** 2);
  },

  'an event and the position of a quiet stream arrive through the proxies at once': async () => {
    const token = await logIn(settings);
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${settings.PUBLIC_URL}/api/events/stream`, { headers, signal: AbortSignal.timeout(60_000) });
    await clientOf(settings, token).organizations.update.mutate({ id: project.records.organizationId, alias: 'streamed' });
    let text = '';
    for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      // A message with an id alone follows.
      if (/"alias": ?"streamed".*\n\nid: \S+\n\n/s.test(text)) return;
    }
    throw new Error(`The stream responded ${response.status} and ended after: ${text}`);
  },

  'webhooks have their key: a private address is refused with 400 instead of 503': async () => {
    const request = { url: 'https://127.0.0.1', types: ['*' as const] };
    const refused = await clientOf(settings, await logIn(settings))
      .webhooks.create.mutate(request)
      .catch((error: ProfileError) => error);
    expectEqual('code', 'code' in refused && refused.code, 'WEBHOOK_URL_NOT_ALLOWED');
  },
});
