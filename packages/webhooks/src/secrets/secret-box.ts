import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const version = Buffer.of(1);
const nonceLength = 12;
const tagLength = 16;
const headLength = version.length + nonceLength + tagLength;

/** Encrypts the secrets of webhooks with AES-256-GCM. A sealed secret has a byte for the version of this format (1), the nonce, the tag and the ciphertext. */
export class SecretBox {
  readonly #key: Buffer;

  /** @param key 32 bytes @throws RangeError if it has another length */
  constructor(key: Buffer) {
    if (key.length !== 32) throw new RangeError(`The key has ${key.length} bytes instead of 32`);
    this.#key = key;
  }

  /** Encrypts a secret. The same secret gives different bytes each time. */
  encrypt(secret: string): Buffer {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, this.#key, nonce, { authTagLength: tagLength }).setAAD(version);
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([version, nonce, cipher.getAuthTag(), text]);
  }

  /** Decrypts a secret. @throws Error if the bytes were changed, or encrypted with another key or by a later version */
  decrypt(sealed: Buffer): string {
    if (sealed.length < headLength || sealed[0] !== version[0]) throw new Error('The secret is not encrypted in a known format');
    const nonce = sealed.subarray(version.length, version.length + nonceLength);
    const decipher = createDecipheriv(algorithm, this.#key, nonce, { authTagLength: tagLength })
      .setAAD(version)
      .setAuthTag(sealed.subarray(version.length + nonceLength, headLength));
    return Buffer.concat([decipher.update(sealed.subarray(headLength)), decipher.final()]).toString();
  }
}
