import type { Admission } from '../../limits/admission.ts';
import { keyOfTenant } from '../../limits/keys.ts';
import type { LimitAddress } from './address-limit.ts';

/**
 * Rejects requests while too many wait for their turn, before anything else about them is looked at. The tenant is the one that the request names in
 * X-Tenant-Id. Whether the caller may use it is not known yet: who names another tenant is at most rejected. The rate limit of the address comes afterwards.
 * @throws SERVICE_UNAVAILABLE
 */
export const withLoadShedding =
  (limitAddress: LimitAddress, admission: Pick<Admission, 'assertNotFull'>): LimitAddress =>
  (exchange, requests) => {
    const tenantId = exchange.request.headers['x-tenant-id'];
    admission.assertNotFull(typeof tenantId === 'string' ? keyOfTenant(tenantId) : undefined);
    limitAddress(exchange, requests);
  };
