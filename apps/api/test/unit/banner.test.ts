import { expect, test } from 'vitest';
import { banner } from '../../local/banner.ts';

const addresses = {
  service: 'http://localhost:3000',
  realm: 'http://localhost:3001/realms/profile',
  mailbox: 'http://localhost:3001/mailbox',
};

test.each([
  ['0.0.0.0', 'Keep port 3001 private: HOST=0.0.0.0 opens it to other machines, and the passwords are public.'],
  ['::', 'Keep port 3001 private: HOST=:: opens it to other machines, and the passwords are public.'],
  ['127.0.0.1', undefined],
])('the banner of npm start warns if HOST=%s opens the identity provider to other machines', (host, warning) => {
  expect(/Keep port .*/.exec(banner(addresses, host))?.[0]).toBe(warning);
});
