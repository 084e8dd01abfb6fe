import { apps } from './apps.ts';
import { cooperatives, serviceCooperatives } from './cooperatives.ts';
import { customers } from './customers.ts';
import { me } from './me.ts';
import { memberships } from './memberships.ts';
import type { Row } from './route.ts';
import { tenants } from './tenants.ts';
import { serviceUsers, users } from './users.ts';

/** The whole service, as data. A key is a procedure's name: `contract.service.users.create` is `service.users.create`. */
export const contract = {
  users,
  memberships,
  customers,
  apps,
  tenants,
  me,
  cooperatives,
  service: { users: serviceUsers, cooperatives: serviceCooperatives },
};
export type Contract = typeof contract;

export interface NamedRow {
  /** Dotted, as in tRPC: `users.create`. */
  name: string;
  row: Row;
}

interface RowTree {
  readonly [key: string]: Row | RowTree;
}

/** Tells a row from a branch of the contract. */
export const isRow = (node: object): node is Row => 'method' in node && 'path' in node;

function flatten(tree: RowTree, prefix: string): NamedRow[] {
  return Object.entries(tree).flatMap(([key, node]) =>
    isRow(node) ? [{ name: prefix + key, row: node }] : flatten(node, `${prefix}${key}.`),
  );
}

/** All rows with their names, in the contract's order. */
export const rows: readonly NamedRow[] = flatten(contract, '');
