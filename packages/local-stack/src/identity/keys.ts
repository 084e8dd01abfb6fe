import { createPrivateKey, randomBytes, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT, type JWK, type JWTPayload } from 'jose';
import { StateFile } from './state-file.ts';

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const algorithmOfCurve: Record<string, string> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512', Ed25519: 'EdDSA' };

/** The realm's keys: the first one signs, all of them verify. Also holds a secret for tokens that only the provider reads. */
export class KeyRing {
  readonly #state: StateFile<{ signing: JWK[]; secret: string }>;
  #signer: { key: KeyObject; alg: string; kid: string } | undefined;

  private constructor(state: StateFile<{ signing: JWK[]; secret: string }>) {
    this.#state = state;
  }

  /** Opens the keys in a data folder. Private keys in `given` replace the stored ones. Generates a key if there is none. */
  static async open(dataDir: string | undefined, given: JWK[] | undefined): Promise<KeyRing> {
    const state = new StateFile<{ signing: JWK[]; secret: string }>(dataDir, 'keys', {
      signing: [],
      secret: randomBytes(64).toString('base64url'),
    });
    const ring = new KeyRing(state);
    const keys = given ?? state.value.signing;
    await ring.#replace(keys.length > 0 ? keys : [await generateKey()]);
    return ring;
  }

  /** Signs cookies and refresh tokens. */
  get secret(): Uint8Array {
    return Buffer.from(this.#state.value.secret, 'base64url');
  }

  get privateKeys(): JWK[] {
    return this.#state.value.signing;
  }

  /** The keys that the certs endpoint publishes. */
  get publicKeys(): JWK[] {
    return this.#state.value.signing.map(
      (key) => Object.fromEntries(Object.entries(key).filter(([name]) => !privateMembers.includes(name))) as JWK,
    );
  }

  get algorithm(): string {
    return this.#signing().alg;
  }

  /** Signs a payload unchanged with the current key. `header` overrides alg, typ and kid. */
  async sign(payload: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
    const { key, alg, kid } = this.#signing();
    return new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT', kid, ...header }).sign(key);
  }

  /** Returns the payload of a token. Throws if none of the keys signed it, or if it has expired at `now`. */
  async verify(token: string, now?: Date): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: this.publicKeys }), now === undefined ? {} : { currentDate: now });
    return payload;
  }

  /** Makes a key the signing key. Generates one if none is given. */
  async rotate(key?: JWK): Promise<void> {
    await this.#replace([key ?? (await generateKey()), ...this.#state.value.signing]);
  }

  /** Removes all keys except the current one. Tokens of the removed keys no longer verify. */
  async removeOld(): Promise<void> {
    await this.#replace(this.#state.value.signing.slice(0, 1));
  }

  #signing(): { key: KeyObject; alg: string; kid: string } {
    if (this.#signer === undefined) throw new Error('The realm has no signing key');
    return this.#signer;
  }

  async #replace(keys: JWK[]): Promise<void> {
    const named = await Promise.all(keys.map(nameKey));
    const [current] = named;
    if (current === undefined) throw new Error('The realm needs a signing key');
    this.#signer = { key: createPrivateKey({ key: current, format: 'jwk' }), alg: current.alg, kid: current.kid };
    this.#state.value.signing = named;
    this.#state.save();
  }
}

async function generateKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: 'RS256' };
}

async function nameKey(key: JWK): Promise<JWK & { alg: string; kid: string }> {
  const alg = key.alg ?? algorithmOfCurve[key.crv ?? ''] ?? 'RS256';
  return { ...key, alg, kid: key.kid ?? (await calculateJwkThumbprint(key)), use: 'sig' };
}
