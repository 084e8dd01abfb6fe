import pg from 'pg';

/** Whether a migration changed the columns of a prepared `select *` or `returning *`. The statement must be prepared again. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/** Whether PostgreSQL skipped the statement because an earlier one of the transaction has failed. */
export const isSkipped = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '25P02';
