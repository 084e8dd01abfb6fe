import type { Call, People, Person, Tenant } from '../../test/support/people.ts';
import type { Sql } from '../../test/support/test-world.ts';

/** What the callers are made from. */
export interface Fixtures extends Pick<People, 'newTaxId'> {
  call: Call;
  sql: Sql;
  /** The tenant of the members, and another one. */
  tenant: Tenant;
  foreign: Tenant;
  global: { id: string; subject: string };
  admin: Person;
  viewer: Person;
  /** A coordinator with a RESTRICTED membership. */
  restricted: Person;
}
