import { contract } from '@profile-service/contracts';
import { implement } from '../handler/handler.ts';

/** There is no source of cooperatives yet. The specification (4.15) prescribes one short string instead. */
const placeholder = ['cooperatives are not connected yet'];

export const cooperatives = implement(contract.cooperatives, {
  list: async ({ caller }) => ({ caller: caller.userId, data: placeholder }),
});

export const serviceCooperatives = implement(contract.service.cooperatives, {
  list: async ({ caller }) => ({ caller: caller.tenantId, data: placeholder }),
});
