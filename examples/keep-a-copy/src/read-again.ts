import { setTimeout as pause } from 'node:timers/promises';
import {
  type Event,
  isProfileError,
  type Membership,
  type Organization,
  type OrganizationAddress,
  type OrganizationContact,
  type ProfileClient,
} from '@profile-service/client';

/** An event has one record, and an operation can change others: a new organization has an address, a new address closes the previous one. */
const changesOthers = /^organization(Address|Contact)\.|^organization(Link)?\.created$/;

/** Current records. `found` is undefined for an organization that is gone. */
export interface ReadAgain {
  organizations: {
    id: string;
    found: { organization: Organization; addresses: OrganizationAddress[]; contacts: OrganizationContact[] } | undefined;
  }[];
  memberships: { userId: string; tenants: Membership[] }[];
}

/** Reads the records that these events may have changed besides their own. */
export async function readAgain(profile: ProfileClient, events: Event[]): Promise<ReadAgain> {
  const organizationIds = new Set(events.flatMap(({ type, organizationId }) => (changesOthers.test(type) && organizationId) || []));
  const userIds = new Set(events.flatMap(({ type, record }) => (type === 'user.created' ? record.id : [])));
  // Behind a read replica, a read may miss the last 100 ms.
  if (organizationIds.size + userIds.size > 0) await pause(200);
  const [organizations, memberships] = await Promise.all([
    Promise.all([...organizationIds].map(async (id) => ({ id, found: await unlessGone(readOrganization(profile, id)) }))),
    Promise.all([...userIds].map(async (userId) => ({ userId, tenants: (await unlessGone(readTenants(profile, userId))) ?? [] }))),
  ]);
  return { organizations, memberships };
}

async function readOrganization(profile: ProfileClient, id: string) {
  const [{ etag: _etag, ...organization }, addresses, contacts] = await Promise.all([
    profile.organizations.get.query({ id }),
    Array.fromAsync(profile.organizationAddresses.all({ organizationId: id })),
    Array.fromAsync(profile.organizationContacts.all({ organizationId: id })),
  ]);
  return { organization, addresses, contacts };
}

const readTenants = async (profile: ProfileClient, userId: string) => (await profile.memberships.list.query({ userId })).data;

/** Undefined if the record was deleted, or is no longer visible. */
const unlessGone = <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((error: unknown) => {
    if (isProfileError(error, 'ORGANIZATION_NOT_FOUND', 'NOT_ALLOWED_ORGANIZATION', 'USER_NOT_FOUND')) return undefined;
    throw error;
  });
