import { usualAdmins } from '../data/people.ts';
import { sizes, tenant } from '../data/size.ts';
import { tenantId } from '../data/tables.ts';
import type { HttpRequest } from './encode.ts';
import type { World } from './world.ts';

type Credentials = Pick<HttpRequest, 'token' | 'tenant'>;

/** The nth request is sent by one of the tenant-admins of the usual tenant. */
export const asUsualAdmin = ({ tokens, size }: World, n: number): Credentials => ({
  token: tokens.usual[n % usualAdmins] ?? '',
  tenant: tenantId(tenant.usual, sizes[size]),
});
export const asLargestAdmin = ({ tokens, size }: World): Credentials => ({
  token: tokens.largest,
  tenant: tenantId(tenant.largest, sizes[size]),
});
export const asOnePageAdmin = ({ tokens, size }: World): Credentials => ({
  token: tokens.onePage,
  tenant: tenantId(tenant.onePage, sizes[size]),
});
export const asTenThousandAdmin = ({ tokens, size }: World): Credentials => ({
  token: tokens.tenThousand,
  tenant: tenantId(tenant.tenThousand, sizes[size]),
});
/** A Global user without an active tenant. */
export const asGlobal = ({ tokens }: World): Credentials => ({ token: tokens.global });
export const asApplication = ({ tokens }: World): Credentials => ({ token: tokens.application });
