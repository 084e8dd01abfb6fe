import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import type { User } from '../support/records.ts';
import { useKeycloakWorld } from './support/keycloak-world.ts';
import { startLoad } from './support/load.ts';
import { globalUser, passwordGrant } from './support/tokens.ts';

const world = useKeycloakWorld();

const slow = { timeout: 150_000 };
const target = 'GET /api/me/permissions';
const isUp = () =>
  fetch(`${world.keycloak.internalUrl}/realms/${world.realm.name}`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Makes the next attempt to send a user's mail due now, instead of after 30 to 60 seconds. */
async function makeMailDue(userId: string): Promise<void> {
  const client = new pg.Client({ connectionString: world.environment['DATABASE_URL'] });
  await client.connect();
  await client.query("update pgboss.job set start_after = now() where name = 'password-mail' and data ->> 'userId' = $1", [userId]);
  await client.end();
}

test(
  'during a restart of Keycloak under load, tokens stay valid, user creation is 503 and recovers, and a mail that fails is retried',
  slow,
  async () => {
    const [cached, ...unused] = await Promise.all(Array.from({ length: 6 }, () => passwordGrant(world.realm.url, globalUser)));
    // Keycloak waits for the mail server when it is stopped, so this mail fails.
    world.realm.smtp.mode = 'hang';
    const { body: person } = await world.call<User>(world.global, 'POST /api/users', world.newPerson());
    const reading = startLoad(world, target, () => ({ token: cached ?? '' }));
    const creating = startLoad(world, 'POST /api/users', () => world.global, { clients: 1, pauseMs: 200, body: world.newPerson });

    process.kill(Number(await readFile(world.keycloak.pidFile ?? '', 'utf8')), 'SIGTERM');
    await expect.poll(() => creating.outcomes, slow).toHaveProperty('IDENTITY_PROVIDER_UNAVAILABLE');
    await expect.poll(isUp, slow).toBe(false);
    // The service has not verified these tokens before. It does so with the keys that it has.
    for (const token of unused) expect(outcome(await world.call({ token }, target))).toBe(200);
    expect(await isUp()).toBe(false);
    const failed = expect.objectContaining({ msg: 'job failed, will be retried', userId: person.id }) as object;
    await expect.poll(() => world.log, slow).toContainEqual(failed);
    expect(await world.realm.smtp.mailsTo(person.email)).toEqual([]);

    world.realm.smtp.mode = 'accept';
    await expect.poll(isUp, slow).toBe(true);
    const created = creating.outcomes['201'] ?? 0;
    await expect.poll(() => creating.outcomes['201'] ?? 0, slow).toBeGreaterThan(created);
    await makeMailDue(person.id);
    await expect.poll(() => world.realm.smtp.mailsTo(person.email), slow).toHaveLength(1);
    // Keycloak keeps its keys, so tokens from before the restart are valid too.
    expect((await world.call({ token: await passwordGrant(world.realm.url, globalUser) }, 'GET /api/apps')).status).toBe(200);
    expect(Object.keys(await reading.stop())).toEqual(['200']);
    expect(Object.keys(await creating.stop()).toSorted()).toEqual(['201', 'IDENTITY_PROVIDER_UNAVAILABLE']);
    const told = () => world.log.filter(({ msg }) => msg.startsWith('identity is')).map(({ msg }) => msg);
    // A check runs every 5 seconds.
    await expect.poll(told).toEqual(['identity is down', 'identity is up again']);
  },
);
