import { type IdentityProvider, startIdentityProvider } from '@profile-service/local-stack';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { inject } from 'vitest';
import '../../../test/provided.ts';
import { Issuer, TokenVerifier } from '../src/index.ts';

const person = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Lima', password: 'secret' };

export interface Realm {
  identity: IdentityProvider;
  issuer: Issuer;
  /** The private key. */
  key: JWK & { kid: string };
  verifier(audience?: string): TokenVerifier;
  /** A valid token with these claims changed; undefined removes a claim. */
  token(claims?: Record<string, unknown>, options?: Parameters<IdentityProvider['sign']>[1]): Promise<string>;
  /** The tokens of a login with a password. */
  login(): Promise<{ access_token: string; id_token: string; refresh_token: string }>;
  stop(): Promise<void>;
}

/** Starts an identity provider with one person. @param signingKey its private key; default: the RS256 key of the run */
export async function startRealm(signingKey: JWK = inject('signingKey')): Promise<Realm> {
  const key = { ...signingKey, kid: 'realm-key' };
  const identity = await startIdentityProvider({ keys: [key], clients: [{ clientId: 'web', public: true }], users: [person] });
  const issuer = new Issuer(identity.realmUrl, (address) => address);
  return {
    identity,
    issuer,
    key,
    verifier: (audience) => new TokenVerifier({ issuer, clientId: 'profile-service', audience }),
    token: (claims, options) => identity.sign({ sub: 'a-person', ...claims }, options),
    async login() {
      const form = { grant_type: 'password', client_id: 'web', username: person.email, password: person.password, scope: 'openid' };
      const response = await fetch(`${identity.realmUrl}/protocol/openid-connect/token`, {
        method: 'POST',
        body: new URLSearchParams(form),
      });
      return (await response.json()) as { access_token: string; id_token: string; refresh_token: string };
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
