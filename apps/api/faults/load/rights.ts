import { setTimeout as pause } from 'node:timers/promises';
import type { People } from '../environment/people.ts';
import { type LoadState, sendOnce, sendUntilSuccess } from './writer.ts';

/**
 * How long another instance may use a cached right after its revocation was acknowledged, in milliseconds. Without an outage it is 100 ms. An instance that has
 * lost the channel of the cache invalidations notices within 3 seconds.
 */
const graceMs = 3_500;
const watchMs = 4_500;

/** Returns a writer that gives a member a persona, revokes it, and checks that no instance uses it any longer. */
export function rightsWriter(state: LoadState, { global, tenant: { id: tenantId, member } }: People): () => Promise<void> {
  const membership = `/api/users/${member.id}/tenants`;
  const use = { method: 'GET', path: '/api/organizations?limit=1', token: member.token } as const;
  return async () => {
    const assign = { method: 'POST', path: membership, token: global, body: { tenantId, persona: 'viewer' } } as const;
    await sendUntilSuccess(state, 'rights', assign);
    await sendUntilSuccess(state, 'rights', { method: 'DELETE', path: `${membership}/${tenantId}`, token: global });
    const revokedAt = performance.now();
    while (performance.now() - revokedAt < watchMs && !state.isStopping) {
      const sentAt = performance.now();
      const { outcome } = await sendOnce(state, 'rights', use, 403);
      if (outcome === 'success' && sentAt - revokedAt > graceMs)
        state.violations.push(`a right was used ${Math.round(sentAt - revokedAt)} ms after it was revoked`);
      await pause(50);
    }
  };
}
