import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type SmtpSink, startSmtpSink } from '../../../../test/keycloak/smtp-sink.ts';
import type { User } from '../support/records.ts';
import { type KeycloakWorld, startKeycloakWorld, useKeycloakWorld } from './support/keycloak-world.ts';

const world = useKeycloakWorld();
let smtp: SmtpSink;
beforeAll(() => void ({ smtp } = world.realm));
afterAll(() => smtp.stop());

const create = async ({ call, global, newPerson }: KeycloakWorld = world) =>
  (await call<User>(global, 'POST /api/users', newPerson())).body;
/** Waits until the job of the mail has failed. Returns the reason in the log. */
async function failure(userId: string, { log } = world): Promise<string> {
  const line = () => log.find((entry) => entry.msg === 'job failed, will be retried' && 'userId' in entry && entry.userId === userId);
  await expect.poll(line).toBeDefined();
  return line()?.reason ?? '';
}

test.each<[string, reason: string, begin: () => unknown, end: () => unknown]>([
  ['is down', 'Failed to send', () => smtp.stop(), async () => void (smtp = await startSmtpSink(smtp.host, smtp.port))],
  ['rejects the recipient', 'Failed to send', () => (smtp.mode = 'reject'), () => (smtp.mode = 'accept')],
  ['does not respond', 'TimeoutError', () => (smtp.mode = 'hang'), () => (smtp.mode = 'accept')],
])('POST /api/users is 201, and the log says why there is no mail, if the mail server %s', async (_fault, reason, begin, end) => {
  await begin();
  const { id, email } = await create();
  expect(await failure(id)).toContain(reason);
  await end();
  expect(await smtp.mailsTo(email)).toEqual([]);
});

test.each([
  ['the redirect URI', { IDENTITY_MAIL_REDIRECT_URL: 'https://evil.example/' }, 'Invalid redirect uri'],
  ['the client', { IDENTITY_MAIL_CLIENT_ID: 'nobody' }, "Client doesn't exist"],
])('the log says which setting to correct if Keycloak does not know %s', async (_fault, settings, message) => {
  const other = await startKeycloakWorld({ settings });
  onTestFinished(() => other.stop());
  const { id } = await create(other);
  const remedy = 'the client IDENTITY_MAIL_CLIENT_ID must exist, be enabled and allow IDENTITY_MAIL_REDIRECT_URL as redirect URI';
  const reason = `IdentityProviderError: The identity provider rejects the link of the password mail (${message}): ${remedy}`;
  expect(await failure(id, other)).toBe(reason);
});
