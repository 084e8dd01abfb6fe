import { remove, removeCall, replace } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const callerCache = 'packages/auth/test/unit/caller-cache.test.ts';

/** Changes of permissions that do not take effect on the next request. */
export const callerInvalidation: readonly Mutant[] = [
  mutant('A user keeps revoked permissions until the cache expires', removeCall('CallerCache.invalidate', 'store.delete')),
  mutant('Applications keep access to a deactivated tenant', removeCall('CallerCache.invalidate', 'removeClients')),
  mutant(
    'A caller loaded before a change is cached after it',
    replace('CallerCache.#load', 'generation === this.#generation', 'true'),
    callerCache,
  ),
  mutant(
    'A request after a change joins a load that began before it',
    removeCall('CallerCache.invalidate', 'this.#loads.clear'),
    callerCache,
  ),
  mutant('A member keeps the previous persona', removeCall('resources/memberships.assign', 'invalidateCallers')),
  mutant(
    'A member keeps the previous persona on this instance until its notification arrives',
    remove('createTransactions', '{ sub: subjects }'),
    'apps/api/test/request/transactions.test.ts',
  ),
  mutant('A removed member keeps access', removeCall('resources/memberships.remove', 'invalidateCallers')),
  mutant(
    'A member who becomes RESTRICTED keeps access to every organization',
    removeCall('resources/organizationScopes.set', 'invalidateCallers'),
    'apps/api/test/caller-cache/caller-cache.test.ts',
  ),
  mutant('A user who is no longer Global keeps global access', removeCall('resources/users.update', 'invalidateCallers')),
  mutant('A deleted user keeps access', removeCall('resources/users.remove', 'invalidateCallers')),
  mutant('A user keeps the previous persona after an application changes it', removeCall('provisionMember', 'invalidateCallers')),
  mutant('Members keep access to a deactivated tenant', removeCall('resources/tenants.update', 'invalidateCallers({ sub: _ })')),
  mutant(
    'An application keeps access after its tenant has another client',
    remove('resources/tenants.update', "changes('identityClientId')"),
  ),
  mutant(
    'A user who becomes a member while the tenant is deactivated keeps access',
    removeCall('tenants/lockTenant', 'forUpdate'),
    'apps/api/test/caller-cache/caller-cache.test.ts',
  ),
  mutant(
    'Members keep access to a deleted tenant',
    remove('resources/tenants.remove', 'sub: _'),
    'apps/api/test/caller-cache/caller-cache.test.ts',
  ),
  mutant(
    'A RESTRICTED member reads a revoked organization from a replica',
    replace('ReadReplica.databaseFor', "kind === 'restricted'", 'false'),
    'apps/api/test/read-replica/read-replica.test.ts',
  ),
];
