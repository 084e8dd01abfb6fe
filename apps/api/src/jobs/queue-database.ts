import { type Database, isUnavailable } from '@profile-service/db';
import type { Db } from 'pg-boss';
import type { OutageReport } from './outage.ts';

/**
 * The job queue's way to the database: a pool whose statements all have a time limit.
 * pg-boss sends some of its transactions as one text, so a connection whose statement failed may be inside one and is closed.
 */
export function queueDatabase({ pool }: Pick<Database, 'pool'>, outage: OutageReport): Db {
  return {
    async executeSql(text, values) {
      try {
        const client = await pool.connect();
        try {
          const result = await client.query(text, values);
          client.release();
          outage.end();
          return result;
        } catch (error) {
          client.release(true);
          throw error;
        }
      } catch (error) {
        if (isUnavailable(error)) outage.begin(error);
        throw error;
      }
    },
  };
}
