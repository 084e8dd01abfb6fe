import pg from 'pg';

/** Whether a migration changed the columns of a prepared `select *` or `returning *`. The statement must be prepared again. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/**
 * Returns the error if the connection must not be used again, such as after a time limit of this process: PostgreSQL may still run the statement. Returns
 * undefined after an error that PostgreSQL has reported.
 */
export const unusable = (error: Error | null): Error | undefined => (error && !(error instanceof pg.DatabaseError) ? error : undefined);
