import { contract } from '@profile-service/contracts';
import { implement } from '../handler/handler.ts';

/** The source of cooperatives is not connected yet: the specification (4.15) wants one short string in its place. */
const placeholder = ['cooperatives are not connected yet'];

export const cooperatives = implement(contract.cooperatives, {
  list: async ({ caller }) => ({ caller: caller.userId, data: placeholder }),
});

export const serviceCooperatives = implement(contract.service.cooperatives, {
  list: async ({ caller }) => ({ caller: caller.tenantId, data: placeholder }),
});
