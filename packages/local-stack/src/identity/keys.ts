import { createPrivateKey, randomBytes, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT, type JWK, type JWTPayload } from 'jose';
import { StateFile } from './state-file.ts';

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const algorithmOfCurve: Record<string, string> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512', Ed25519: 'EdDSA' };

/** The realm's keys: the first signs, all of them verify. Beside them a secret for what only the provider itself reads. */
export class KeyRing {
  readonly #state: StateFile<{ signing: JWK[]; secret: string }>;
  #signer: { key: KeyObject; alg: string; kid: string } | undefined;

  private constructor(state: StateFile<{ signing: JWK[]; secret: string }>) {
    this.#state = state;
  }

  /** Opens the keys of a data folder. `given` private keys take the place of kept ones; where there are none at all, one is generated. */
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

  /** Secret of the realm, for cookies and refresh tokens. */
  get secret(): Uint8Array {
    return Buffer.from(this.#state.value.secret, 'base64url');
  }

  get privateKeys(): JWK[] {
    return this.#state.value.signing;
  }

  /** What the certs endpoint publishes. */
  get publicKeys(): JWK[] {
    return this.#state.value.signing.map(
      (key) => Object.fromEntries(Object.entries(key).filter(([name]) => !privateMembers.includes(name))) as JWK,
    );
  }

  get algorithm(): string {
    return this.#signing().alg;
  }

  /** Signs a payload as it is with the current key; `header` is laid over alg, typ and kid. */
  async sign(payload: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
    const { key, alg, kid } = this.#signing();
    return new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT', kid, ...header }).sign(key);
  }

  /** The payload of a token that one of the keys signed. Throws where none did, or where it is past its time at `now`. */
  async verify(token: string, now?: Date): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: this.publicKeys }), now === undefined ? {} : { currentDate: now });
    return payload;
  }

  /** Puts a key before the others, a generated one when none is given. */
  async rotate(key?: JWK): Promise<void> {
    await this.#replace([key ?? (await generateKey()), ...this.#state.value.signing]);
  }

  /** Leaves the current key alone: tokens of the others no longer verify. */
  async removeOld(): Promise<void> {
    await this.#replace(this.#state.value.signing.slice(0, 1));
  }

  #signing(): { key: KeyObject; alg: string; kid: string } {
    if (this.#signer === undefined) throw new Error('the realm has no signing key');
    return this.#signer;
  }

  async #replace(keys: JWK[]): Promise<void> {
    const named = await Promise.all(keys.map(nameKey));
    const [current] = named;
    if (current === undefined) throw new Error('the realm needs a signing key');
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
