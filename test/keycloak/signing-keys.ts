import { generateKeyPairSync } from 'node:crypto';
import type KcAdminClient from '@keycloak/keycloak-admin-client';

const providerType = 'org.keycloak.keys.KeyProvider';
const generators: Record<string, string> = { ES256: 'ecdsa-generated', EdDSA: 'eddsa-generated' };
const signing = new Set(['rsa', 'rsa-generated', ...Object.values(generators)]);

/** The configuration of a new key. Node generates RSA keys: it takes a tenth of the time that Keycloak takes. */
function keyOf(algorithm: string, priority: number) {
  const config = { priority: [String(priority)] };
  const providerId = generators[algorithm];
  if (providerId !== undefined) return { providerId, config };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return { providerId: 'rsa', config: { ...config, algorithm: [algorithm], privateKey: [String(pem)] } };
}

/** The keys of a new realm: those that Keycloak would generate, except the one for encryption. */
export const initialKeys = () => ({
  [providerType]: [
    { name: 'rsa', ...keyOf('RS256', 100) },
    { name: 'hmac', providerId: 'hmac-generated', config: { priority: ['100'], algorithm: ['HS512'] } },
    { name: 'aes', providerId: 'aes-generated', config: { priority: ['100'] } },
  ],
});

/** Signs with a new key of this algorithm from now on. */
export async function rotateKey(admin: KcAdminClient, algorithm: string): Promise<void> {
  const priorities = (await admin.components.find({ type: providerType })).map(({ config }) => Number(config?.['priority']?.[0] ?? 0));
  const priority = Math.max(...priorities) + 1;
  await admin.components.create({ name: `key-${priority}`, providerType, ...keyOf(algorithm, priority) });
  await admin.realms.update({ realm: admin.realmName }, { defaultSignatureAlgorithm: algorithm });
}

/** Removes all signing keys except the one with the highest priority. */
export async function removeOldKeys(admin: KcAdminClient): Promise<void> {
  const found = (await admin.components.find({ type: providerType })).filter(({ providerId }) => signing.has(providerId ?? ''));
  const sorted = found.toSorted((one, other) => Number(other.config?.['priority']?.[0] ?? 0) - Number(one.config?.['priority']?.[0] ?? 0));
  for (const { id = '' } of sorted.slice(1)) await admin.components.del({ id });
}
