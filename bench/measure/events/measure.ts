import pg from 'pg';
import type { Options } from '../../options.ts';
import type { Environment } from '../../servers/environment.ts';
import { measureDeliveries } from './deliveries.ts';
import { measurePages } from './pages.ts';
import { measureStreams } from './streams.ts';

/** Figures of the event feed, of streams and of webhooks. */
export type EventFigures = Awaited<ReturnType<typeof measureEvents>>;

/** Measures a service of its own on the small database, to which it adds many events. */
export async function measureEvents(environment: Environment, { quick, events = quick ? 300_000 : 1_000_000 }: Options) {
  const world = await environment.worldOf('small');
  const settings = {
    EVENT_STREAMS_PER_TENANT: '0',
    WEBHOOK_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    WEBHOOK_ALLOWED_HOSTS: 'localhost',
  };
  const server = await environment.startAnother('service', 'small', { settings });
  environment.moveOthers('others');
  const database = new pg.Client({ connectionString: await environment.databaseOf('small') });
  await database.connect();
  try {
    const subject = { world, server, database };
    const deliveries = await measureDeliveries(subject);
    const streams = await measureStreams(subject);
    return { deliveries, streams, ...(await measurePages(subject, events)) };
  } finally {
    await database.end();
    await server.stop();
  }
}
