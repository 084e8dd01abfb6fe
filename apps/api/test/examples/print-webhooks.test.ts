import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inherited } from '../../../../test/inherited.ts';
import { login, useLocalStart } from '../support/local-start.ts';
import { root } from '../support/project-files.ts';

const started = useLocalStart();
let child: ChildProcess | undefined;
afterAll(() => child?.kill('SIGKILL'));

test('examples/print-webhooks prints the events of its types, rejects a forged request, and deletes its webhook at the end', async () => {
  const profile = await login(started, 'gloria@example.com');
  const settings = { PROFILE_URL: started.url, TOKEN_URL: `${started.identityUrl}/realms/profile/protocol/openid-connect/token` };
  const args = [join(root, 'examples/print-webhooks/main.ts'), 'organization.updated'];
  const program = spawn(process.execPath, args, { env: { ...inherited, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] });
  child = program;
  let output = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await expect.poll(() => output).toContain('Ctrl-C deletes it.');
  const { data: webhooks } = await profile.webhooks.list.query({});
  expect(webhooks).toMatchObject([{ tenantId: null, types: ['organization.updated'] }]);

  const [organization] = (await profile.organizations.list.query({ limit: 1 })).data;
  const { id } = organization!;
  await profile.organizationContacts.create.mutate({ organizationId: id, type: 'PHONE', value: '1' });
  await profile.organizations.update.mutate({ id, alias: 'Printed' });
  await expect.poll(() => output).toContain(` organization.updated ${id} alias\n`);
  expect(output).not.toContain('organizationContact');

  const forged = { method: 'POST', headers: { 'webhook-id': 'forged' }, body: '{}' };
  expect((await fetch(webhooks[0]!.url, forged)).status).toBe(400);
  await expect.poll(() => output).toContain('Rejected a request: ');

  program.kill('SIGINT');
  expect(await once(program, 'exit')).toEqual([0, null]);
  expect((await profile.webhooks.list.query({})).data).toEqual([]);
});
