import { setTimeout as pause } from 'node:timers/promises';
import { exportJWK, generateKeyPair } from 'jose';
import type { Environment } from '../environment/environment.ts';
import { type Fault, unavailable } from '../fault.ts';
import { send } from '../load/request.ts';
import { globalUser, passwordGrant } from '../../test/keycloak/support/tokens.ts';

const part = 'Identity provider';
const allowed = [unavailable, '503 IDENTITY_PROVIDER_UNAVAILABLE'];
const json = 'application/json';
/** Longer than the wait for a fetch of the keys, in milliseconds. */
const fetchOfKeysMs = 3_000;

const forward: Fault['end'] = ({ identity }) => identity.proxy.forward();
const answering = (status: number, type: string, body: string): Pick<Fault, 'allowed' | 'begin' | 'end'> => ({
  allowed,
  begin: async ({ identity }) => identity.proxy.substitute({ status, type, body }),
  end: forward,
});

/**
 * Rotates the signing key, and fails unless every instance accepts a token of the new key at once. Only after an earlier fault the first response can be 503:
 * the last fetch of the keys has failed, and the next one has not ended.
 */
async function rotateKey({ identity: { realm }, instances }: Environment): Promise<void> {
  await realm.rotateKey('RS256');
  const token = await passwordGrant(realm.url, globalUser);
  for (const url of instances.urls) {
    const sendToken = () => send(url, { method: 'GET', path: '/api/me/permissions', token });
    let { outcome } = await sendToken();
    if (outcome === '503 IDENTITY_PROVIDER_UNAVAILABLE') {
      await pause(fetchOfKeysMs);
      ({ outcome } = await sendToken());
    }
    if (outcome !== 'success') throw new Error(`A token of the new key is ${outcome}`);
  }
}

/** Serves a key that signs no token of the callers, and makes the instances fetch the keys: a token names an unknown key. */
async function serveForeignKeys({ identity, instances }: Environment): Promise<void> {
  const { publicKey } = await generateKeyPair('RS256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'foreign', alg: 'RS256', use: 'sig' }];
  identity.proxy.substitute({ status: 200, type: json, body: JSON.stringify({ keys }) }, '/certs');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${encode({ alg: 'RS256', kid: 'unknown' })}.${encode({ iss: identity.realm.url })}.c2lnbmF0dXJl`;
  for (const url of instances.urls) await send(url, { method: 'GET', path: '/api/me/permissions', token });
}

export const identityFaults: readonly Fault[] = [
  { part, name: 'answers 500', ...answering(500, json, '{"error":"unknown_error"}') },
  { part, name: 'answers with text that is not JSON', ...answering(200, 'text/html', '<html>') },
  { part, name: 'hangs', allowed, minimumSeconds: 6, begin: async ({ identity }) => identity.proxy.hang(), end: forward },
  { part, name: 'refuses connections', allowed, begin: ({ identity }) => identity.proxy.refuse(), end: forward },
  {
    part,
    name: 'killed (SIGKILL), and started again by its supervisor',
    allowed,
    begin: ({ identity }) => identity.kill(),
    end: ({ identity }) => identity.untilUp(),
  },
  { part, name: 'rotates its signing key', allowed: [], begin: rotateKey, end: async () => undefined },
  { part, name: 'serves a wrong key set', allowed: [unavailable, '401 INVALID_TOKEN'], begin: serveForeignKeys, end: forward },
];
