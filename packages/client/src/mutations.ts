/** Whether a mutation accepts `ifMatch`: a PUT or DELETE of one record. A test compares these names with the contract. */
export const isConditional = (procedure: string): boolean =>
  (/\.(update|remove)$/.test(procedure) && procedure !== 'memberships.remove') || procedure === 'organizationScopes.set';

/** Whether a mutation accepts `idempotencyKey`: a POST. */
export const isKeyed = (procedure: string): boolean => /\.(create|assign|link)$/.test(procedure);
