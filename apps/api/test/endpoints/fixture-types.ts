import type { Persona } from '@profile-service/contracts';
import type { Input, Records } from '@profile-service/contracts/examples';
import type { Model } from '../oracle/model.ts';
import type { Token } from '../oracle/token.ts';
import type { Person, Tenant } from '../support/people.ts';
import type { World } from '../support/world.ts';

/** A world with the map, and with the tenants and the users that the loops over all endpoints need. */
export interface Fixture extends Records {
  world: World;
  /** The tenant of the users below. */
  tenant: Tenant;
  foreign: Tenant;
  inactive: Tenant;
  /** One member of the tenant for each persona. */
  members: Record<Persona, Person>;
  /** The Global user with whom the service began. */
  first: { subject: string };
  /** Global, and viewer of the tenant. */
  globalMember: Person;
  globalWithoutPersona: Person;
  ofNoTenant: Person;
  /** Has a legacy membership without persona. */
  withoutPersona: Person;
  deleted: Person;
  /** The users, memberships and tenants above, for the oracle. */
  model: Model;
  /** Signs a token, once for equal content. */
  sign(token: Token): Promise<string>;
  /** A valid input of the endpoint, created once: for calls that the service refuses, and for calls that can be repeated. */
  sharedInput(name: string): Promise<Input>;
}
