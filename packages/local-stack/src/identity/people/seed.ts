import type { UserConfig } from '../options.ts';
import type { Realm } from '../realm.ts';
import { seededUser, serviceAccountId } from './user.ts';

/** Puts the configured people there who are not there yet, and the service account of every confidential client. */
export function seed(realm: Realm, people: UserConfig[]): void {
  for (const config of people) {
    if (realm.users.findByEmail(config.email) === undefined) realm.users.create(seededUser(config));
  }
  for (const { clientId, secret, serviceAccountRoles } of realm.clients.values()) {
    if (secret === undefined) continue;
    realm.users.putServiceAccount({
      id: serviceAccountId(realm.name, clientId),
      username: `service-account-${clientId}`.toLowerCase(),
      enabled: true,
      emailVerified: false,
      requiredActions: [],
      realmRoles: serviceAccountRoles.realm ?? [],
      clientRoles: serviceAccountRoles.client ?? {},
      createdTimestamp: Date.now(),
      serviceAccountClientId: clientId,
    });
  }
}
