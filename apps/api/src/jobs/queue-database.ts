import type { Database } from '@profile-service/db';
import type { Db } from 'pg-boss';

/**
 * Adapts a pool to pg-boss. The pool's statements have a time limit.
 * A connection is closed after a failed statement: pg-boss sends some transactions as one text, so the connection may still be inside a transaction.
 * @param onStatement called after each statement, with the error of one that failed
 */
export function createQueueDatabase({ pool }: Pick<Database, 'pool'>, onStatement: (error?: unknown) => void): Db {
  return {
    async executeSql(text, values) {
      try {
        const client = await pool.connect();
        try {
          const result = await client.query(text, values);
          client.release();
          onStatement();
          return result;
        } catch (error) {
          client.release(true);
          throw error;
        }
      } catch (error) {
        onStatement(error);
        throw error;
      }
    },
  };
}
