import { actions, matrix } from '@profile-service/contracts';
import { newOrganization } from '@profile-service/contracts/examples';
import { loadGeography } from '@profile-service/db/geography';
import { withoutLimits } from '../../../../test/without-limits.ts';
import { requestOf, sendTo } from '../../test/support/call.ts';
import { type Call, createPeople } from '../../test/support/people.ts';
import { createTestWorld } from '../../test/support/test-world.ts';
import { protectRecords } from './protect.ts';

/** The service, with a few records that no request can change. */
export type World = Awaited<ReturnType<typeof startWorld>>;

// An error in the log is a failure of this test. Uploads are limited so that files over the limit are small.
const settings = { ...withoutLimits, LOG_LEVEL: 'error', ATTACHMENT_MAX_BYTES: String(64 * 1024) };
const everyRole = Object.keys(matrix).flatMap((module) => actions.map((action) => `${module}:${action}`));

/** Starts the service on a migrated database, with its own identity provider and storage. */
export async function startWorld(databaseUrl: string) {
  await loadGeography(databaseUrl);
  const world = await createTestWorld({ databaseUrl, settings });
  const { url } = world.service;
  const call: Call = (actor, target, body) => sendTo(url, target, requestOf(actor, body));
  const people = await createPeople(call, world.sign, world.globalSubject);
  const [tenant, foreign] = [await people.tenant(), await people.tenant()];
  const admin = await people.person({ [tenant.id]: 'tenant-admin' });
  const viewer = await people.person({ [tenant.id]: 'viewer' });
  const restricted = await people.person({ [tenant.id]: 'coordinator' });
  await world.sql("update memberships set scope = 'RESTRICTED' where user_id = $1", [restricted.id]);
  const { userId } = (await call<{ userId: string }>(people.global, 'GET /api/me/permissions')).body;
  // The Global user can then also select a tenant.
  await people.create(`POST /api/users/${userId}/tenants`, { tenantId: tenant.id, persona: 'viewer' });
  const users = [userId, admin.id, viewer.id, restricted.id];
  await protectRecords(world.sql, users, [tenant.id, foreign.id]);
  /** A token for each kind of caller; undefined: no Authorization header. */
  const tokens = {
    global: people.global.token,
    application: tenant.service.token,
    'tenant-admin': admin.token,
    viewer: viewer.token,
    restricted: restricted.token,
    'exception-role': await people.tokenOf({ sub: viewer.subject, roles: everyRole }),
    nobody: undefined,
  };
  return {
    url,
    tokens,
    /** The tenant of all callers who have one. */
    tenantId: tenant.id,
    /**
     * Creates organizations of the tenant, each with an address, a contact and a file, which are granted to the RESTRICTED member: earlier ones may have been
     * deleted.
     */
    async replenish() {
      for (let made = 0; made < 3; made += 1) {
        const contacts = [{ type: 'EMAIL', value: 'contato@example.com', isPrimary: true }];
        const { status, body } = await call<{ id: string }>(tenant.service, 'POST /service/organizations', {
          ...newOrganization(people),
          contacts,
        });
        if (status !== 201) throw new Error(`The organization was not created: ${status} ${JSON.stringify(body)}`);
        const form = new FormData();
        form.append('entityId', body.id);
        form.append('file', new File(['%PDF-1.7\n'], 'estatuto.pdf', { type: 'application/pdf' }));
        await call(admin, 'POST /api/attachments', form);
        const grant = 'insert into membership_organizations (user_id, tenant_id, organization_id) values ($1, $2, $3)';
        await world.sql(grant, [restricted.id, tenant.id, body.id]);
      }
    },
    stop: world.stop,
  };
}
