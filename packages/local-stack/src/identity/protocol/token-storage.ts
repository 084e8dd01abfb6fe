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

// What a login outlives a restart with; codes, forms under way and access tokens are not worth a file.
const keptKinds = new Set(['Session', 'Grant', 'RefreshToken']);

/**
 * Where the protocol library keeps sessions, grants and tokens. Its tokens go out as JWTs that carry its ids,
 * so that access and refresh tokens are looked up here by what stands in the JWT. Whether something is past its time the library sees itself.
 */
export function tokenStorage(realm: Realm): (kind: string) => Adapter {
  const state = new StateFile<Entry[]>(realm.dataDir, 'sessions', []);
  const entries = new Map(state.value.map((entry) => [`${entry.kind}:${entry.id}`, entry]));

  function written(kind: string): void {
    if (!keptKinds.has(kind)) return;
    for (const [key, { expiresAt }] of entries) if (expiresAt <= Date.now()) entries.delete(key);
    state.value = [...entries.values()].filter((entry) => keptKinds.has(entry.kind));
    state.save();
  }

  async function storedId(kind: string, id: string): Promise<string | undefined> {
    if (kind === 'AccessToken') return accessTokenId(realm, id);
    return kind === 'RefreshToken' ? refreshTokenId(realm, id) : id;
  }

  return (kind) => ({
    async upsert(id, payload, expiresIn = 0) {
      // A client's own token is never looked up again.
      if (kind === 'ClientCredentials') return;
      entries.set(`${kind}:${id}`, { kind, id, payload, expiresAt: Date.now() + expiresIn * 1000 });
      written(kind);
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
      written(kind);
    },
    async destroy(id) {
      entries.delete(`${kind}:${id}`);
      written(kind);
    },
    async revokeByGrantId(grantId) {
      for (const [key, entry] of entries) if (entry.kind === kind && entry.payload.grantId === grantId) entries.delete(key);
      written(kind);
    },
  });
}
