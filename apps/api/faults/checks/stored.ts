import type { Environment } from '../environment/environment.ts';
import type { Acknowledged } from '../load/writer.ts';
import { checkIdentities } from './identities.ts';
import { checkRecords } from './records.ts';
import { checkStorage } from './storage.ts';

/** Returns what is wrong with the acknowledged writes in the database, in the storage and at the identity provider. */
export async function checkStored(environment: Environment, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const checks = [checkRecords, checkStorage, checkIdentities].map((check) => check(environment, acknowledged));
  return (await Promise.all(checks)).flat();
}
