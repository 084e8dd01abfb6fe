import type { Client } from '../clients.ts';
import type { UserConfig } from '../options.ts';
import { seededUser, serviceAccountId } from './user.ts';
import type { UserStore } from './user-store.ts';

/** Creates the configured users that do not exist yet, and the service account of every confidential client. */
export function seed(users: UserStore, configs: UserConfig[], realmName: string, clients: Iterable<Client>): void {
  for (const config of configs) {
    if ((users.find(config.id ?? '') ?? users.findByEmail(config.email)) === undefined) users.create(seededUser(config));
  }
  for (const { clientId, secret, serviceAccountRoles } of clients) {
    if (secret === undefined) continue;
    users.putServiceAccount({
      id: serviceAccountId(realmName, clientId),
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
