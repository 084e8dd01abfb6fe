import { randomUUID } from 'node:crypto';
import { isProfileError, type ProfileClient } from '@profile-service/client';
import { transfer } from './records.ts';

/** A running load of requests. */
export interface Load {
  /** Ends the load. Throws if a request has failed. Returns the number of requests. */
  end(): Promise<number>;
}

/**
 * Sends reads, creations of apps, and uploads and downloads of 64 KiB without a pause, over kept-alive connections.
 * @param organizationId organization of the files
 * @param connections number of requests at a time
 */
export function startLoad(client: ProfileClient, organizationId: string, connections = 16): Load {
  const failures: string[] = [];
  let requests = 0;
  let isEnding = false;

  async function send(number: number): Promise<void> {
    while (!isEnding) {
      requests += 1;
      try {
        if (requests % 16 === 8) await transfer(client, organizationId, 65_536);
        else if (requests % 4 === 0) await client.apps.create.mutate({ name: `Load ${number} ${randomUUID()}` });
        else await client.states.list.query({ limit: 1 });
      } catch (error) {
        failures.push(isProfileError(error) ? `${error.status ?? ''} ${error.code}: ${error.message}` : String(error));
      }
    }
  }

  const running = Promise.all(Array.from({ length: connections }, (_, index) => send(index)));
  return {
    async end() {
      isEnding = true;
      await running;
      if (failures.length > 0) throw new Error(`${failures.length} of ${requests} requests failed: ${[...new Set(failures)].join(', ')}`);
      return requests;
    },
  };
}
