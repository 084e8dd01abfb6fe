import type { Database } from '@profile-service/db';
import type { Db } from 'pg-boss';

/**
 * The job queue's way to the database: a pool whose statements all have a time limit.
 * pg-boss sends some of its transactions as one text, so a connection whose statement failed may be inside one and is closed.
 * @param onStatement called after each statement, with the error of one that failed
 */
export function queueDatabase({ pool }: Pick<Database, 'pool'>, onStatement: (error?: unknown) => void): Db {
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
