import { connect } from '@profile-service/db';
import { afterAll, expect, test } from 'vitest';
import { CallerCache, createAuthenticator, Issuer, TokenVerifier } from '../../src/index.ts';

/** Nothing listens there: a header with a token gets IDENTITY_PROVIDER_UNAVAILABLE instead of UNAUTHORIZED. */
const nowhere = 'http://127.0.0.1:1/realms/profile';
const database = connect({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
const verifier = new TokenVerifier({ issuer: new Issuer(nowhere, (address) => address), clientId: 'profile-service' });
const cache = new CallerCache({ ttlSeconds: 300, trusted: () => true });
const authenticator = createAuthenticator({ users: verifier, services: verifier, cache, database });
afterAll(() => database.close());

/** Well-formed, with a known algorithm and without a valid signature. */
const token = `${Buffer.from('{"alg":"RS256","kid":"a"}').toString('base64url')}.e30.AAAA`;

test.each([
  [
    'no',
    'UNAUTHORIZED',
    ['', 'Bearer', 'Bearer ', token, `Bearer${token}`, `Basic ${token}`, `Bearer ${token} ${token}`, `Bearer, ${token}`],
  ],
  ['a', 'IDENTITY_PROVIDER_UNAVAILABLE', [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token} `]],
])('an Authorization header that has %s bearer token', async (_has, code, headers) => {
  for (const header of headers)
    for (const kind of ['user', 'service'] as const)
      await expect((async () => authenticator.verify(kind, header))()).rejects.toMatchObject({ code });
});

test('texts in X-Tenant-Id that are longer than a UUID are not kept', async () => {
  const loaded: string[] = [];
  const admitLoad = async (sub: string): Promise<never> => {
    loaded.push(sub);
    throw new Error('not loaded');
  };
  const loader = createAuthenticator({ users: verifier, services: verifier, cache, database, admitLoad });
  const claims = { sub: 'a', azp: '', hasSession: true, roles: new Set(''), isSuperAdmin: false, permissions: new Set('') };
  const load = async (header: string) => loader.load('user', claims, header);
  await Promise.allSettled(['b', 'c'].map((end) => load(`${'x'.repeat(10_000)}${end}`)));
  expect(loaded).toEqual(['a']);
});
