import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import type { Service } from '../../src/service/service.ts';
import { send } from '../transports/request.ts';
import { createApi } from '../support/api.ts';
import { content, form } from '../support/files.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const member = useMember(world, useTenant(world), 'technician');
let service: Service;
let written = '';
beforeAll(async () => {
  service = await world.another({}, { log: createLog('trace', { write: (line) => (written += line) }) });
  // The last line of the start may come late on a busy machine.
  await vi.waitUntil(() => written.includes('invalidations from other instances arrive'), 20_000);
});
beforeEach(() => (written = ''));

const lines = () => written.split('\n').filter(Boolean);
const expectLines = (count: number) => expect.poll(() => lines().length).toBe(count);

/** Line breaks, the end of a JSON string, terminal escape sequences, and text that log viewers may run. */
const forged = [
  '\n{"level":30,"msg":"forged"}',
  '\r\nforged entry',
  '","caller":"forged","x":"',
  '\u001b[2J\u001b[31mforged',
  '\u009b31mforged',
  '\u2028forged entry',
  '${jndi:ldap://forged}',
  '<script>forged</script>',
  'forged@example.com',
];
/** Parts of them in any encoding. None may be in the log. */
const traces = /forged|\u001b|\\u001b|\u009b|\\u009b|\u2028|\\r|jndi|script/i;

describe.each(forged)('%j does not get into the log', (text) => {
  test('from a URL', async () => {
    const part = encodeURIComponent(text);
    const targets = [`/api/users/${part}`, `/api/users?email=${part}&name=${part}`, `/${part}`, `/trpc/${part}`, `/docs/${part}`];
    const headers = { authorization: `Bearer ${world.global.token}` };
    await Promise.all(targets.map((target) => send(service.url, `GET ${target}`, { headers })));
    await expectLines(targets.length);
    expect(written).not.toMatch(traces);
  });

  test('from headers', async () => {
    const plain = [...text].filter((character) => /[\t\x20-\x7e\x80-\xff]/.test(character)).join('');
    const names = ['user-agent', 'referer', 'x-request-id', 'x-forwarded-for', 'x-tenant-id', 'origin', 'cookie', 'authorization'];
    const authorization = `Bearer ${member.token}`;
    await Promise.all(names.map((name) => send(service.url, 'GET /api/users', { headers: { authorization, [name]: plain } })));
    await expectLines(names.length);
    expect(written).not.toMatch(traces);
  });

  test('from bodies, over REST and tRPC', async () => {
    const { call } = createApi(service.url);
    const person = { ...world.newPerson(), name: text, email: text, federalTaxId: text };
    const file = new File([content()], `${text}.pdf`, { type: 'application/pdf' });
    await Promise.all([
      call(world.global, 'POST /api/users', person),
      call(world.global, 'POST /trpc/users.create', person),
      call(world.global, 'POST /api/apps', { [text]: text, name: { [text]: text } }),
      call(member, 'POST /api/attachments', form(['file', file], [text, text])),
    ]);
    await expectLines(4);
    expect(written).not.toMatch(traces);
  });

  test('from a token', async () => {
    const tokens = [
      await world.tokenOf({ sub: text, azp: text, claims: { preferred_username: text } }),
      await world.serviceToken(text),
      await world.tokenOf({ sub: member.subject, azp: text, roles: [text] }),
    ];
    for (const token of tokens)
      for (const target of ['GET /api/users', 'GET /service/cooperatives']) await createApi(service.url).call({ token }, target);
    await expectLines(6);
    expect(written).not.toMatch(traces);
  });
});
