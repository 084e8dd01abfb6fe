import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signatureHeaders } from '../../src/client/sign.ts';
import { createSecret, SecretBox } from '../../src/index.ts';

const body = '{"name":"São João 😀"}';
const [current, previous, other] = [createSecret(), createSecret(), createSecret()];
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const headersAt = (at: Date, secrets = [current, previous]) => signatureHeaders({ id: 'event-1', body: Buffer.from(body), secrets, at });

test('a secret has 32 random bytes', () => {
  expect(current).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(current).not.toBe(previous);
});

test.each([current, previous])('the library standardwebhooks verifies the signature with each of the secrets', (secret) => {
  expect(new Webhook(secret).verify(body, headersAt(new Date()))).toEqual(JSON.parse(body));
});

test('the library signs the same content in the same way', () => {
  const at = new Date(1_700_000_000_999);
  expect(headersAt(at, [current])).toEqual({
    'webhook-id': 'event-1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': new Webhook(current).sign('event-1', at, body),
  });
});

test.each([
  ['another secret', other, headersAt(new Date()), body, 'No matching signature found'],
  ['another body', current, headersAt(new Date()), `${body} `, 'No matching signature found'],
  ['another id', current, { ...headersAt(new Date()), 'webhook-id': 'event-2' }, body, 'No matching signature found'],
  ['an old timestamp', current, headersAt(minutesAgo(6)), body, 'Message timestamp too old'],
])('the library rejects %s', (_what, secret, headers, text, message) => {
  expect(() => new Webhook(secret!).verify(text, headers)).toThrow(message);
});

test('an encrypted secret is decrypted with the same key only', () => {
  const key = randomBytes(32);
  const sealed = new SecretBox(key).encrypt(current);
  expect(new SecretBox(key).decrypt(sealed)).toBe(current);
  expect(sealed.includes(current.slice(6, 20))).toBe(false);
  expect(new SecretBox(key).encrypt(current)).not.toEqual(sealed);
  expect(() => new SecretBox(randomBytes(32)).decrypt(sealed)).toThrow('unable to authenticate');
});

test('a change of any byte, or a missing one, is found', () => {
  const box = new SecretBox(randomBytes(32));
  const sealed = box.encrypt(current);
  for (const index of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[index]! ^= 1;
    expect(() => box.decrypt(changed)).toThrow(/unable to authenticate|not encrypted in a known format/);
    expect(() => box.decrypt(sealed.subarray(0, index))).toThrow(/unable to authenticate|not encrypted in a known format/);
  }
});

test.each([0, 16, 31, 33])('a key of %i bytes is rejected', (length) => {
  expect(() => new SecretBox(Buffer.alloc(length))).toThrow(`The key has ${length} bytes instead of 32`);
});
