import { randomUUID } from 'node:crypto';
import { startIdentityProvider } from '@profile-service/local-stack';
import { exportJWK, generateKeyPair } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { outcome } from '../support/api.ts';
import { expectProblem, send } from '../transports/request.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tenant = useTenant(world);
const person = useMember(world, tenant, 'viewer');

const user = 'GET /api/me/permissions';
const application = 'GET /service/cooperatives';

// Rules: AUTH-2, INPUT-1
test('with separate realms of users and applications, each route family accepts tokens of its own realm only', async () => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const applications = await startIdentityProvider({ keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', kid: 'applications' }] });
  onTestFinished(() => applications.stop());
  const { call } = await world.another({ IDENTITY_AUTH_URL: applications.realmUrl });
  const resultOf = async (target: string, token: string) => outcome(await call({ token }, target));

  const [usersRealm, ofPerson] = [world.identity, { sub: person.subject, azp: 'web', sid: randomUUID() }];
  const ofApplication = { sub: randomUUID(), azp: tenant.clientId };
  expect(await resultOf(user, person.token)).toBe(200);
  expect(await resultOf(application, await applications.sign(ofApplication))).toBe(200);
  for (const claims of [ofPerson, ofApplication]) {
    expect(await resultOf(application, await usersRealm.sign(claims))).toBe('UNAUTHORIZED');
    expect(await resultOf(user, await applications.sign(claims))).toBe('UNAUTHORIZED');
  }
  // A key of one realm cannot sign tokens of the other.
  expect(await resultOf(user, await applications.sign({ ...ofPerson, iss: usersRealm.realmUrl }))).toBe('UNAUTHORIZED');
  expect(await resultOf(application, await usersRealm.sign({ ...ofApplication, iss: applications.realmUrl }))).toBe('UNAUTHORIZED');
});

test('a huge token is verified like any other token, up to the size limit of request heads', async () => {
  const tokenOfSize = (length: number) => world.tokenOf({ sub: person.subject, claims: { ballast: 'x'.repeat(length) } });
  const token = await tokenOfSize(8_000);
  expect((await world.call({ token }, user)).status).toBe(200);
  const sendToken = (sent: string) => send(world.service.url, user, { headers: { authorization: `Bearer ${sent}` } });
  for (const bad of ['x'.repeat(15_000), `${token.slice(0, -4)}AAAA`, '.'.repeat(15_000), `${'a.'.repeat(5_000)}b`])
    expectProblem(await sendToken(bad), 'UNAUTHORIZED');
  expect((await sendToken(await tokenOfSize(20_000))).status).toBe(400);
});

test('tokens in the query, in cookies and in other headers are ignored', async () => {
  const token = person.token;
  for (const [target, headers] of [
    [`${user}?access_token=${token}`, {}],
    [user, { cookie: `access_token=${token}; Authorization=Bearer ${token}` }],
    [user, { 'x-authorization': `Bearer ${token}`, 'proxy-authorization': `Bearer ${token}`, 'x-access-token': token }],
    [user, { 'x-forwarded-user': person.subject, 'x-remote-user': person.subject, 'x-user-id': person.id }],
  ] as [string, Record<string, string>][])
    expectProblem(await send(world.service.url, target, { headers }), 'UNAUTHORIZED');
});
