import { beforeAll, beforeEach, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { asGlobal, send } from '../transports/request.ts';
import { content, form } from '../support/files.ts';
import { recordLog } from '../support/recorded-log.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const member = useMember(world, useTenant(world), 'technician');
const { log, text, lines, clear, started } = recordLog('trace');
const service = duringTests(() => world.another({}, { log }));
beforeAll(started);
beforeEach(clear);

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

test.each(forged)('%j does not get into the log from a URL, headers, bodies and tokens', async (value) => {
  const part = encodeURIComponent(value);
  const targets = [`/api/users/${part}`, `/api/users?email=${part}&name=${part}`, `/${part}`, `/trpc/${part}`, `/docs/${part}`];
  const fromUrls = targets.map((target) => asGlobal({ ...world, service })(`GET ${target}`));

  const plain = [...value].filter((character) => /[\t\x20-\x7e\x80-\xff]/.test(character)).join('');
  const names = ['user-agent', 'referer', 'x-request-id', 'x-forwarded-for', 'x-tenant-id', 'origin', 'cookie', 'authorization'];
  const authorization = `Bearer ${member.token}`;
  const fromHeaders = names.map((name) => send(service.url, 'GET /api/users', { headers: { authorization, [name]: plain } }));

  const { call } = service;
  const person = { ...world.newPerson(), name: value, email: value, federalTaxId: value };
  const file = new File([content()], `${value}.pdf`, { type: 'application/pdf' });
  const fromBodies = [
    call(world.global, 'POST /api/users', person),
    call(world.global, 'POST /trpc/users.create', person),
    call(world.global, 'POST /api/apps', { [value]: value, name: { [value]: value } }),
    call(member, 'POST /api/attachments', form(['file', file], [value, value])),
  ];

  const tokens = [
    world.tokenOf({ sub: value, azp: value, claims: { preferred_username: value } }),
    world.serviceToken(value),
    world.tokenOf({ sub: member.subject, azp: value, roles: [value] }),
  ];
  const fromTokens = tokens.flatMap((signed) =>
    ['GET /api/users', 'GET /service/cooperatives'].map(async (target) => call({ token: await signed }, target)),
  );
  const responses = await Promise.all([...fromUrls, ...fromHeaders, ...fromBodies, ...fromTokens]);
  await expect.poll(() => lines().length).toBe(responses.length);
  expect(text()).not.toMatch(traces);
});
