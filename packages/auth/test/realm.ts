import { type IdentityProvider, startIdentityProvider } from '@profile-service/local-stack';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { inject } from 'vitest';
import '../../../test/provided.ts';
import { Issuer, TokenVerifier } from '../src/index.ts';

const person = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Lima', password: 'secret' };

/** Starts an identity provider with one person. @param signingKey its private key; default: the RS256 key of the run */
export async function startRealm(signingKey: JWK = inject('signingKey')) {
  const key = { ...signingKey, kid: 'realm-key' };
  const identity = await startIdentityProvider({ keys: [key], clients: [{ clientId: 'web', public: true }], users: [person] });
  const issuer = new Issuer(identity.realmUrl, (address) => address);
  return {
    identity,
    issuer,
    /** The private key. */
    key,
    verifier: (audience?: string) => new TokenVerifier({ issuer, clientId: 'profile-service', audience }),
    /** A valid token with these claims changed; undefined removes a claim. */
    token: (claims?: Record<string, unknown>, options?: Parameters<IdentityProvider['sign']>[1]) =>
      identity.sign({ sub: 'a-person', ...claims }, options),
    /** The tokens of a login with a password. */
    async login() {
      const form = { grant_type: 'password', client_id: 'web', username: person.email, password: person.password, scope: 'openid' };
      const url = `${identity.realmUrl}/protocol/openid-connect/token`;
      const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
      return (await response.json()) as { id_token: string; refresh_token: string };
    },
    stop: () => identity.stop(),
  };
}

/** A private key for an algorithm. RSA keys of the run, since generating one is slow. */
export async function privateKey(alg: string): Promise<JWK> {
  if (/^[RP]S/.test(alg)) return { ...inject('signingKey'), alg };
  const { privateKey: key } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(key)), alg };
}

/** The time in tokens: whole seconds since 1970. */
export const now = (): number => Math.floor(Date.now() / 1000);
