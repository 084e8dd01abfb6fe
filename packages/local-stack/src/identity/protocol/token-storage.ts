import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Realm } from '../realm.ts';
import { StateFile } from '../state-file.ts';
import { accessTokenId, refreshTokenId } from './tokens.ts';

interface Entry {
  kind: string;
  id: string;
  payload: AdapterPayload;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

// Saved so that logins survive a restart. Codes, open login forms and access tokens are not saved.
const savedKinds = new Set(['Session', 'Grant', 'RefreshToken']);

/**
 * Stores sessions, grants and tokens of oidc-provider. Clients get its tokens as JWTs that carry the library's ids,
 * so access and refresh tokens are looked up by the id in the JWT. The library checks expiry itself.
 */
export function tokenStorage(realm: Realm): (kind: string) => Adapter {
  const state = new StateFile<Entry[]>(realm.dataDir, 'sessions', []);
  const entries = new Map(state.value.map((entry) => [`${entry.kind}:${entry.id}`, entry]));

  function save(kind: string): void {
    if (!savedKinds.has(kind)) return;
    for (const [key, { expiresAt }] of entries) if (expiresAt <= Date.now()) entries.delete(key);
    state.value = [...entries.values()].filter((entry) => savedKinds.has(entry.kind));
    state.save();
  }

  async function storedId(kind: string, id: string): Promise<string | undefined> {
    if (kind === 'AccessToken') return accessTokenId(realm, id);
    return kind === 'RefreshToken' ? refreshTokenId(realm, id) : id;
  }

  return (kind) => ({
    async upsert(id, payload, expiresIn = 0) {
      // The library never looks these up.
      if (kind === 'ClientCredentials') return;
      entries.set(`${kind}:${id}`, { kind, id, payload, expiresAt: Date.now() + expiresIn * 1000 });
      save(kind);
    },
    async find(id) {
      return entries.get(`${kind}:${await storedId(kind, id)}`)?.payload;
    },
    async findByUid(uid) {
      return [...entries.values()].find((entry) => entry.kind === kind && entry.payload.uid === uid)?.payload;
    },
    async findByUserCode() {
      return undefined;
    },
    async consume(id) {
      const entry = entries.get(`${kind}:${id}`);
      if (entry !== undefined) entry.payload.consumed = Math.floor(Date.now() / 1000);
      save(kind);
    },
    async destroy(id) {
      entries.delete(`${kind}:${id}`);
      save(kind);
    },
    async revokeByGrantId(grantId) {
      for (const [key, entry] of entries) if (entry.kind === kind && entry.payload.grantId === grantId) entries.delete(key);
      save(kind);
    },
  });
}
