import type { Caller } from '@profile-service/auth';
import { type DB, type UnscopedDatabase, type Placeholders, unscopedStatement } from '@profile-service/db';
import type { Kysely } from 'kysely';
import { whenTenantDeleted } from './tenant-deleted.ts';

interface Link {
  organizationId: string;
  tenantId: string;
}

const insertLink = unscopedStatement('creates the link', (db, p: Placeholders<Link>) => linkOf(db, p));

const insertLinkAndGrant = unscopedStatement('creates the link', (db, p: Placeholders<Link & { userId: string }>) =>
  grantOf(
    db.with('link', (cte) => linkOf(cte, p)),
    p,
  ),
);

type Inserts = Pick<Kysely<DB>, 'insertInto'>;

/** Inserts a link of an organization to a tenant, if there is none. */
export function linkOf(db: Inserts, { organizationId, tenantId }: Placeholders<Link>) {
  return db
    .insertInto('organizationTenants')
    .values({ organizationId, tenantId })
    .onConflict((conflict) => conflict.doNothing());
}

/** Grants a linked organization to a user whose membership is RESTRICTED. */
export function grantOf(db: Inserts, p: Placeholders<Link & { userId: string }>) {
  return db
    .insertInto('membershipOrganizations')
    .columns(['userId', 'tenantId', 'organizationId'])
    .expression((eb) =>
      eb
        .selectFrom('memberships')
        .select(['userId', 'tenantId', eb.cast<string>(eb.val(p.organizationId), 'uuid').as('organizationId')])
        .where('userId', '=', p.userId)
        .where('tenantId', '=', p.tenantId)
        .where('scope', '=', 'RESTRICTED')
        // A concurrent change of the scope either waits for this lock or is visible here. The grant changes the membership's version.
        .forNoKeyUpdate(),
    );
}

/**
 * Links an organization to the caller's active tenant, if there is one, and commits the transaction. Idempotent.
 * Also grants it to a user with a RESTRICTED membership, whatever the persona. Otherwise users could lose access to organizations that they created,
 * at once or after a change of persona.
 * @throws TENANT_NOT_ALLOWED or CLIENT_NOT_LINKED if the tenant was deleted after the caller was loaded
 */
export async function linkToActiveTenant(db: UnscopedDatabase, caller: Caller, organizationId: string): Promise<void> {
  const { organizationScope: scope } = caller;
  if (!('tenantId' in scope)) return;
  const link = { organizationId, tenantId: scope.tenantId };
  const linked =
    caller.kind === 'service' ? db.atCommit.run(insertLink, link) : db.atCommit.run(insertLinkAndGrant, { ...link, userId: caller.userId });
  await linked.catch(whenTenantDeleted(caller));
}
