import { contract } from '@profile-service/contracts';
import { bind } from '../operation/implement.ts';
import { apps } from './apps.ts';
import { cooperatives, serviceCooperatives } from './cooperatives.ts';
import { customers } from './customers.ts';
import { me } from './me.ts';
import { memberships } from './memberships.ts';
import { serviceUsers } from './service-users.ts';
import { tenants } from './tenants.ts';
import { users } from './users.ts';

/** The handler of every row. */
export const implementation = bind(contract, {
  users,
  memberships,
  customers,
  apps,
  tenants,
  me,
  cooperatives,
  service: { users: serviceUsers, cooperatives: serviceCooperatives },
});
