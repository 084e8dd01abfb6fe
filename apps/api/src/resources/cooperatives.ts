import { contract } from '@profile-service/contracts';
import { read } from '../request/handler.ts';
import { implement } from '../request/router.ts';

/** There is no source of cooperatives yet. The response has one short string instead (COOPERATIVES-1). */
const placeholder = ['cooperatives are not connected yet'];

export const cooperatives = implement(contract.cooperatives, {
  list: read(async ({ caller }) => ({ caller: caller.userId, data: placeholder })),
});

export const serviceCooperatives = implement(contract.service.cooperatives, {
  list: read(async ({ caller }) => ({ caller: caller.tenantId, data: placeholder })),
});
