import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type SmtpSink, startSmtpSink } from '../../../../test/keycloak/smtp-sink.ts';
import type { User } from '../support/records.ts';
import { startKeycloakWorld, useKeycloakWorld } from './support/keycloak-world.ts';

const world = useKeycloakWorld();
let smtp: SmtpSink;
beforeAll(() => void ({ smtp } = world.realm));
afterAll(() => smtp.stop());

const create = async () => (await world.call<User>(world.global, 'POST /api/users', world.newPerson())).body;
/** Waits until the job of the mail has failed. Returns the reason in the log. */
async function failure(userId: string): Promise<string> {
  const line = () => world.log.find((entry) => entry.msg === 'job failed, will be retried' && 'userId' in entry && entry.userId === userId);
  await expect.poll(line).toBeDefined();
  return line()?.reason ?? '';
}

test('the password mail arrives, names both actions and links to Keycloak', async () => {
  const { email } = await create();
  await expect.poll(() => smtp.mailsTo(email)).toHaveLength(1);
  const [mail] = await smtp.mailsTo(email);
  expect(mail?.subject).toBe('Update Your Account');
  expect(mail?.text).toMatch(/Update Password, Verify Email/);
  expect(mail?.text).toContain(`${world.realm.url}/login-actions/action-token?key=`);
});

describe('POST /api/users is 201, and the log says why there is no mail, if the mail server', () => {
  afterEach(() => {
    smtp.mode = 'accept';
  });

  test('is down', async () => {
    await smtp.stop();
    const { id, email } = await create();
    expect(await failure(id)).toContain('Failed to send execute actions email');
    smtp = await startSmtpSink(smtp.host, smtp.port);
    expect(await smtp.mailsTo(email)).toEqual([]);
  });

  test('rejects the recipient', async () => {
    smtp.mode = 'reject';
    const { id, email } = await create();
    expect(await failure(id)).toContain('Failed to send execute actions email');
    expect(smtp.rejected).toContain(email);
    expect(await smtp.mailsTo(email)).toEqual([]);
  });

  test('does not respond', async () => {
    smtp.mode = 'hang';
    const { id } = await create();
    expect(await failure(id)).toContain('TimeoutError');
  });
});

test.each([
  ['the redirect URI', { IDENTITY_MAIL_REDIRECT_URL: 'https://evil.example/' }, 'Invalid redirect uri'],
  ['the client', { IDENTITY_MAIL_CLIENT_ID: 'nobody' }, "Client doesn't exist"],
])('the log says which setting to correct if Keycloak does not know %s', async (_fault, settings, message) => {
  const other = await startKeycloakWorld({ settings });
  const { body } = await other.call<User>(other.global, 'POST /api/users', other.newPerson());
  const remedy = 'the client IDENTITY_MAIL_CLIENT_ID must exist, be enabled and allow IDENTITY_MAIL_REDIRECT_URL as redirect URI';
  const reason = `IdentityProviderError: The identity provider rejects the link of the password mail (${message}): ${remedy}`;
  await expect
    .poll(() => other.log)
    .toContainEqual(expect.objectContaining({ msg: 'job failed, will be retried', userId: body.id, reason }));
  await other.stop();
});
