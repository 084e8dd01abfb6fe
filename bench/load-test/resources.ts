import { readdirSync } from 'node:fs';
import pg from 'pg';
import type { Subject } from './subject.ts';

/** What the service holds at one moment. Memory is in bytes. */
export interface Resources {
  resident: number;
  heap: number;
  /** Open files and sockets. */
  handles: number;
  databaseConnections: number;
}

/** Reads the resources once in each interval, until `stop`. */
export interface ResourceMonitor {
  readonly samples: readonly Resources[];
  read(): Promise<Resources>;
  stop(): Promise<void>;
}

export async function monitorResources(subject: Subject, intervalMs: number): Promise<ResourceMonitor> {
  const client = new pg.Client({ connectionString: subject.databaseUrl });
  await client.connect();
  const samples: Resources[] = [];
  const read = async () => {
    const response = await fetch(`http://127.0.0.1:${subject.managementPort}/metrics`);
    const metrics = await response.text();
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where datname = current_database() and application_name like 'profile-service%'`,
    );
    return {
      resident: metric(metrics, 'process_resident_memory_bytes'),
      heap: metric(metrics, 'nodejs_heap_size_used_bytes'),
      handles: readdirSync(`/proc/${subject.server.pid}/fd`).length,
      databaseConnections: rows[0]?.count ?? Number.NaN,
    };
  };
  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(async () => void samples.push(await read()));
  }, intervalMs);
  return {
    samples,
    read,
    async stop() {
      clearInterval(timer);
      await reading;
      await client.end();
    },
  };
}

/** The value of a metric without labels. */
function metric(text: string, name: string): number {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`The metric ${name} is absent`);
  return Number(value);
}
