import { contract, type Row } from '@profile-service/contracts';
import { type AnyHandler, bind } from '../operation/implement.ts';
import { apps } from './apps.ts';
import { cooperatives, serviceCooperatives } from './cooperatives.ts';
import { customers } from './customers.ts';
import { me } from './me.ts';
import { memberships } from './memberships.ts';
import { serviceUsers } from './service-users.ts';
import { tenants } from './tenants.ts';
import { users } from './users.ts';

const implementation = bind(contract, {
  users,
  memberships,
  customers,
  apps,
  tenants,
  me,
  cooperatives,
  service: { users: serviceUsers, cooperatives: serviceCooperatives },
});

/** The handler of a row of the contract; that there is one is what the types of `implement` see to. */
export function handlerOf(row: Row): AnyHandler {
  const handler = implementation.get(row);
  if (!handler) throw new Error(`${row.method} ${row.path} has no handler`);
  return handler;
}
