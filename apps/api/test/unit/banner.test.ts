import { expect, test } from 'vitest';
import { banner } from '../../local/banner.ts';

const addresses = {
  service: 'http://localhost:3000',
  realm: 'http://localhost:3001/realms/profile',
  mailbox: 'http://localhost:3001/mailbox',
};
const warningFor = (host?: string) => /Keep port .*/.exec(banner(addresses, host))?.[0];

test.each(['0.0.0.0', '::'])('the banner of npm start warns that HOST=%s opens the identity provider to other machines', (host) => {
  expect(warningFor(host)).toBe(`Keep port 3001 private: HOST=${host} opens it to other machines, and the passwords are public.`);
});

test.each([undefined, '127.0.0.1', 'localhost'])('the banner of npm start has no warning with HOST=%s', (host) => {
  expect(warningFor(host)).toBeUndefined();
});
