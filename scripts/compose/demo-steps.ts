import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProfileClient, type ProfileClient } from '@profile-service/client';
import { run } from '../ci/command.ts';
import type { Steps } from '../ci/steps.ts';
import { eventually } from '../../test/eventually.ts';
import { expectEqual, expectPart } from './expect.ts';
import { type Container, docker } from './project.ts';

const image = 'profile-service-demo';
const files = ['--file', 'deploy/demo/compose.yml'];

/**
 * The demo container, as a newcomer uses it.
 * @param port a free port; the next one must be free too
 * @param folder for the file that changes the ports
 */
export function demoSteps(port: number, folder: string): Steps {
  const project = `profile-demo-${process.pid}`;
  const override = join(folder, 'demo-ports.yml');
  const service = `http://localhost:${port}`;
  const compose = (...args: string[]) =>
    run('docker', ['compose', '--progress', 'quiet', '--project-name', project, ...files, '--file', override, ...args]);
  const container = async (): Promise<Container> => {
    const [only] = JSON.parse(await docker('inspect', `${project}-demo-1`)) as [Container];
    return only;
  };
  /** Waits for the end of the banner of the latest start. */
  const banner = () =>
    eventually(async () => {
      const { Id, State } = await container();
      const text = await docker('logs', '--since', State.StartedAt, Id);
      expectPart('logs', text, 'Ctrl-C stops everything');
      return text;
    });
  let customerId = '';

  return {
    'demo container: the Dockerfile builds an image that runs as 1000:1000': async () => {
      await run('docker', ['compose', ...files, 'build', '--quiet']);
      expectEqual('user', (await docker('image', 'inspect', '--format', '{{.Config.User}}', image)).trim(), '1000:1000');
      console.log(`${(Number(await docker('image', 'inspect', '--format', '{{.Size}}', image)) / 1e6).toFixed(0)} MB`);
    },

    'demo container: starts without a network': async () => {
      const id = (await docker('run', '--detach', '--network', 'none', image)).trim();
      try {
        await eventually(async () => expectPart('logs', await docker('logs', id), 'Ctrl-C stops everything'));
      } finally {
        await docker('rm', '--force', '--volumes', id);
      }
    },

    'demo container: compose prints the addresses, and each of them answers on this machine only': async () => {
      const ports = [port, port + 1].map((number) => `'127.0.0.1:${number}:${number}'`).join(', ');
      writeFileSync(override, `services:\n  demo:\n    environment: { PORT: '${port}' }\n    ports: !override [${ports}]\n`);
      await compose('up', '--detach', '--wait');
      const addresses = (await banner()).match(/http:\/\/localhost:\d+\/\S*(docs|errors|openapi\.json|mailbox)$/gm) ?? [];
      expectEqual('addresses', addresses.length, 4);
      for (const address of [service, ...addresses]) expectEqual(address, (await fetch(address)).status, 200);
      const published = await docker('port', (await container()).Id);
      expectEqual('published', published.trim().split('\n').length, 2);
      for (const line of published.trim().split('\n')) expectPart('published', line, '-> 127.0.0.1:');
      expectEqual('read-only', (await container()).HostConfig.ReadonlyRootfs, true);
    },

    'demo container: a user logs in and creates a record, and a frontend on localhost may call': async () => {
      const client = await logIn(port);
      expectEqual('organizations', (await client.organizations.list.query({})).total, 4);
      customerId = (await client.customers.create.mutate({ federalTaxId: '99888777000166', name: 'Cooperativa do Sul' })).id;
      const { headers } = await fetch(`${service}/openapi.json`, { headers: { origin: 'http://localhost:5173' } });
      expectEqual('allowed origin', headers.get('access-control-allow-origin'), 'http://localhost:5173');
    },

    'demo container: SIGTERM stops it cleanly': async () => {
      await compose('stop');
      const { State } = await container();
      expectEqual('exit code', State.ExitCode, 0);
    },

    'demo container: the data are there after the next start': async () => {
      await compose('up', '--detach', '--wait', '--force-recreate');
      await banner();
      const client = await logIn(port);
      expectEqual('customer', (await client.customers.get.query({ id: customerId })).name, 'Cooperativa do Sul');
      await compose('down', '--volumes');
      rmSync(override);
    },
  };
}

async function logIn(port: number): Promise<ProfileClient> {
  const form = { grant_type: 'password', client_id: 'web', username: 'gloria@example.com', password: 'demo' };
  const address = `http://localhost:${port + 1}/realms/profile/protocol/openid-connect/token`;
  const response = await fetch(address, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return createProfileClient({ url: `http://localhost:${port}`, token: () => token });
}
