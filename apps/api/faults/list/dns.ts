import type { FaultyPostgres } from '../environment/postgres.ts';
import { type Fault, noDownload, noUpload, unavailable } from '../fault.ts';

/** The faults of the look-up of names. */
export const dnsFaults = ({ proxy }: FaultyPostgres): readonly Fault[] => [
  {
    part: 'DNS',
    name: 'no name is known, and all connections to PostgreSQL have ended',
    allowed: [unavailable, '503 IDENTITY_PROVIDER_UNAVAILABLE', noUpload, noDownload],
    async begin({ hosts }) {
      await hosts.forget();
      proxy.cut();
      proxy.forward();
    },
    end: ({ hosts }) => hosts.know(),
  },
];
