import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import { type KeycloakWorld, startKeycloakWorld } from './support/keycloak-world.ts';
import { startLoad } from './support/load.ts';
import { globalUser, passwordGrant } from './support/tokens.ts';

let world: KeycloakWorld;
beforeAll(async () => {
  world = await startKeycloakWorld();
});
afterAll(() => world.stop());

const slow = { timeout: 150_000 };
const createUser = async () => outcome(await world.call(world.global, 'POST /api/users', world.newPerson()));

test(
  'during a restart of Keycloak under load, tokens stay valid, user creation is 503 and recovers, and the mails arrive',
  slow,
  async () => {
    const before = await passwordGrant(world.realm.url, globalUser);
    const load = startLoad(world, 'GET /api/me/permissions', () => ({ token: before }));
    const pid = Number(await readFile(world.keycloak.pidFile ?? '', 'utf8'));
    const person = world.newPerson();
    process.kill(pid, 'SIGTERM');
    await expect.poll(createUser, slow).toBe('IDENTITY_PROVIDER_UNAVAILABLE');
    await expect.poll(createUser, slow).toBe(201);
    const { status } = await world.call(world.global, 'POST /api/users', person);
    expect(status).toBe(201);
    await expect.poll(() => world.realm.smtp.mailsTo(person.email), slow).toHaveLength(1);
    // Keycloak keeps its keys, so tokens from before the restart are valid too.
    expect((await world.call({ token: await passwordGrant(world.realm.url, globalUser) }, 'GET /api/apps')).status).toBe(200);
    expect(Object.keys(await load.stop())).toEqual(['200']);
    const told = () => world.log.filter(({ msg }) => msg.startsWith('identity is')).map(({ msg }) => msg);
    // A check runs every 5 seconds.
    await expect.poll(told).toEqual(['identity is down', 'identity is up again']);
  },
);
