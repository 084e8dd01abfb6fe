import type { SizeName } from '../data/size.ts';

/** What requests need to know about a database besides the deterministic ids. */
export interface World {
  size: SizeName;
  tokens: {
    global: string;
    /** Tenant-admins of the usual tenant. */
    usual: string[];
    largest: string;
    onePage: string;
    tenThousand: string;
    /** Tenant-admins of the equal tenants of the size `load-test`. */
    others: { tenant: number; token: string }[];
    /** The application of the usual tenant. */
    application: string;
  };
  /** The attachment of the usual tenant, of 1 MiB. */
  attachmentId: string;
}
