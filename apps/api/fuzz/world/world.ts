import { loadGeography } from '@profile-service/db/geography';
import { withoutLimits } from '../../../../test/without-limits.ts';
import { type Call, createPeople } from '../../test/support/people.ts';
import { requestOf, sendTo } from '../../test/support/call.ts';
import { createTestWorld } from '../../test/support/test-world.ts';
import { type Caller, makeCallers } from './callers.ts';
import type { Fixtures } from './fixtures.ts';
import { protectFixtures } from './protect.ts';
import { replenish } from './records.ts';

/** The service, with a few records that no request can change. */
export interface World {
  /** Address of the service. */
  url: string;
  callers: readonly Caller[];
  /** Creates records of each kind that all callers see, because earlier ones may have been deleted. */
  replenish(): Promise<void>;
  stop(): Promise<void>;
}

/** Size limit of uploads: small, so that files over the limit are small too. */
export const maxFileBytes = 64 * 1024;
// An error in the log is a failure of this test.
const settings = { ...withoutLimits, LOG_LEVEL: 'error', ATTACHMENT_MAX_BYTES: String(maxFileBytes) };

/** Starts the service on a migrated database, with its own identity provider and storage. */
export async function startWorld(databaseUrl: string): Promise<World> {
  await loadGeography(databaseUrl);
  const world = await createTestWorld({ databaseUrl, settings });
  const { url } = world.service;
  const call: Call = (actor, target, body) => sendTo(url, target, requestOf(actor, body));
  const people = await createPeople(call, world.sign, world.globalSubject);
  const tenant = await people.tenant();
  const [admin, viewer, restricted] = [
    await people.person({ [tenant.id]: 'tenant-admin' }),
    await people.person({ [tenant.id]: 'viewer' }),
    await people.person({ [tenant.id]: 'coordinator' }),
  ];
  const { userId } = (await call<{ userId: string }>(people.global, 'GET /api/me/permissions')).body;
  // The Global user can then also select a tenant.
  await people.create(`POST /api/users/${userId}/tenants`, { tenantId: tenant.id, persona: 'viewer' });
  await world.sql("update memberships set scope = 'RESTRICTED' where user_id = $1", [restricted.id]);
  const global = { id: userId, subject: world.globalSubject };
  const { newTaxId } = people;
  const fixtures: Fixtures = { call, sql: world.sql, newTaxId, tenant, foreign: await people.tenant(), global, admin, viewer, restricted };
  await protectFixtures(fixtures);
  return {
    url,
    callers: await makeCallers(people, fixtures),
    replenish: () => replenish(fixtures),
    stop: world.stop,
  };
}
