import type { FaultyPostgres } from '../environment/postgres.ts';
import type { Fault } from '../fault.ts';
import { clockFaults } from './clock.ts';
import { dnsFaults } from './dns.ts';
import { identityFaults } from './identity.ts';
import { postgresFaults } from './postgres.ts';
import { redisFaults } from './redis.ts';
import { serviceFaults } from './service.ts';
import { storageFaults } from './storage.ts';

/** All faults, in the order of docs/run/figures.md. */
export const faultsOf = (postgres: FaultyPostgres): readonly Fault[] => [
  ...postgresFaults(postgres),
  ...redisFaults,
  ...identityFaults,
  ...storageFaults,
  ...serviceFaults,
  ...clockFaults,
  ...dnsFaults(postgres),
];

export const titleOf = ({ part, name }: Fault): string => `${part}: ${name}`;
