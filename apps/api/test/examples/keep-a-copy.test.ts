import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProfileClient } from '@profile-service/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inherited } from '../../../../test/inherited.ts';
import { login, useLocalStart } from '../support/local-start.ts';
import { root } from '../support/project-files.ts';
import { createWriters } from './writers.ts';

/** How long writers write and the program is killed, in milliseconds. */
const writingMs = 8_000;

const started = useLocalStart();
let global: ProfileClient;
let writers: Awaited<ReturnType<typeof createWriters>>;
let program: { child: ChildProcess; errors: Promise<string> };

const file = () => join(started.folder, 'copy.sqlite');
const realmUrl = () => `${started.identityUrl}/realms/profile`;

function start(): void {
  const settings = { PROFILE_URL: started.url, TOKEN_URL: `${realmUrl()}/protocol/openid-connect/token`, COPY_FILE: file() };
  const child = spawn(process.execPath, [join(root, 'examples/keep-a-copy/src/main.ts')], { env: { ...inherited, ...settings } });
  program = { child, errors: text(child.stderr) };
}

/** Kills the program. Throws its standard error if it has ended by itself. */
async function kill(): Promise<void> {
  const { child, errors } = program;
  if (child.exitCode !== null) throw new Error(`The program ended:\n${await errors}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

beforeAll(async () => {
  global = await login(started, 'gloria@example.com');
  writers = await createWriters({ url: started.url, realmUrl: realmUrl(), global });
});
afterAll(() => program?.child.kill('SIGKILL'));

type Rows = Record<string, unknown[]>;
const sorted = (rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))]));
/** The id of a record, or the ids that identify a link or a membership. */
const keyOf = (row: unknown) => {
  const { id, organization_id, user_id, tenant_id } = row as Record<string, string>;
  return id ?? `${organization_id ?? user_id}:${tenant_id}`;
};

/** The rows of the copy. */
function readCopy(): Rows {
  const database = new DatabaseSync(file(), { readOnly: true });
  const all = (table: string) => database.prepare(`select * from ${table}`).all();
  const records = (table: string) => all(table).map(({ data }) => JSON.parse(String(data)) as unknown);
  const rows = Object.fromEntries(['organizations', 'addresses', 'contacts', 'users'].map((table) => [table, records(table)]));
  const keys = Object.fromEntries(['links', 'members'].map((table) => [table, all(table).map((row) => ({ ...row }))]));
  database.close();
  return sorted({ ...rows, ...keys });
}

/** What the copy must have. */
async function readSource(): Promise<Rows> {
  const tenants = await Array.fromAsync(global.tenants.all());
  const ofTenants = tenants.map(async ({ id: tenantId }) => {
    const [organizations, users] = await Promise.all([
      global.tenants.organizations.query({ tenantId }),
      global.memberships.users.query({ tenantId }),
    ]);
    const links = organizations.data.map(({ id }) => ({ organization_id: id, tenant_id: tenantId }));
    return { links, members: users.data.map(({ id, persona }) => ({ user_id: id, tenant_id: tenantId, persona })) };
  });
  const lists = await Promise.all(ofTenants);
  return sorted({
    organizations: await Array.fromAsync(global.organizations.all()),
    addresses: await Array.fromAsync(global.organizationAddresses.all()),
    contacts: await Array.fromAsync(global.organizationContacts.all()),
    users: await Array.fromAsync(global.users.all()),
    links: lists.flatMap(({ links }) => links),
    members: lists.flatMap(({ members }) => members),
  });
}

test('the copy equals its source after the program was killed again and again while writers wrote', { timeout: 180_000 }, async () => {
  const until = Date.now() + writingMs;
  const writing = writers.writeUntil(() => Date.now() > until && [...writers.done.values()].every((count) => count > 0));
  let isWriting = true;
  const ended = writing.finally(() => (isWriting = false));
  ended.catch(() => undefined);
  let kills = 0;
  for (start(); isWriting; kills += 1) {
    await pause(100 + Math.random() * 2_500);
    await kill();
    start();
  }
  await ended;
  expect(kills).toBeGreaterThan(2);
  const source = await readSource();
  await expect.poll(readCopy).toEqual(source);
});

test('the program copies everything again after its cursor has expired', async () => {
  await kill();
  const database = new DatabaseSync(file());
  database.prepare('update feed set cursor = ?').run(Buffer.from('1.1.1').toString('base64url'));
  database.exec("insert into organizations (id, data) values ('gone', '{}'); delete from contacts");
  database.close();
  start();
  const source = await readSource();
  await expect.poll(readCopy).toEqual(source);
});

test('the program stops when it is asked to', async () => {
  program.child.kill('SIGTERM');
  const [code] = (await once(program.child, 'exit')) as [number | null];
  expect([code, await program.errors]).toEqual([0, expect.not.stringMatching(/Error/)]);
});
