import { expect, test } from 'vitest';
import { ana } from './contract/realm-data.ts';
import { adminClient } from './contract/requests.ts';
import { startLocalProvider } from './local-provider.ts';

const actions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];

test('the mailbox shows the mails newest first, as a page and as JSON', async () => {
  const idp = await startLocalProvider();
  const admin = await adminClient(idp);
  for (const lifespan of [100, 200]) await admin.users.executeActionsEmail({ id: ana.id, actions, lifespan });
  expect(idp.mails[0]).toEqual({
    id: expect.any(String),
    to: ana.email,
    subject: 'Update Your Account',
    link: expect.stringContaining(`${idp.realmUrl}/login-actions/action-token?key=`),
    actions,
    sentAt: expect.any(String),
    expiresAt: expect.any(String),
  });
  const lifespans = idp.mails.map(({ sentAt, expiresAt }) => Math.round((Date.parse(expiresAt) - Date.parse(sentAt)) / 1000));
  expect(lifespans).toEqual([100, 200]);
  const json = (await (await fetch(`${idp.mailboxUrl}.json`)).json()) as { link: string }[];
  expect(json).toEqual(idp.mails.toReversed());
  const text = await (await fetch(idp.mailboxUrl)).text();
  const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toEqual(json.map(({ link }) => link));
  await idp.stop();
});
