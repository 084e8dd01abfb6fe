import { quantile } from '../../load/statistics.ts';
import { asGlobal, asOnePageAdmin } from '../../work/callers.ts';
import type { HttpRequest } from '../../work/encode.ts';
import { addEvents, send, type Subject } from './subject.ts';

/** How many events one statement adds. */
const batch = 100_000;
const [warmUpPages, measuredPages] = [20, 100];

/** Measures pages at random positions of a journal with this number of events of others, in milliseconds. */
export async function measurePages(subject: Subject, others: number) {
  const { database, world } = subject;
  for (let done = 0; done < others; done += batch) await addEvents(subject, Math.min(batch, others - done));
  await database.query('vacuum analyze journal');
  return {
    others,
    largePage: await measure(subject, { ...asGlobal(world), method: 'GET', path: '/api/events?limit=1000' }),
    quietPage: await measure(subject, { ...asOnePageAdmin(world), method: 'GET', path: '/api/events?limit=100' }),
  };
}

async function measure(subject: Subject, request: HttpRequest) {
  const { rows } = await subject.database.query<{ cursor: string }>(
    `with positions as (select min(sequence) as first, max(sequence) as last from journal where transaction_id is not null)
     select epoch || '.' || transaction_id || '.' || sequence as cursor from positions, generate_series(1, $1),
       lateral (select * from journal where transaction_id is not null and sequence > first + (last - first) * random() * 0.9 order by sequence limit 1) as event`,
    [warmUpPages + measuredPages],
  );
  const times: number[] = [];
  for (const { cursor } of rows) {
    const startedAt = performance.now();
    await send(subject, { ...request, path: `${request.path}&cursor=${Buffer.from(cursor).toString('base64url')}` });
    times.push(performance.now() - startedAt);
  }
  const measured = times.slice(warmUpPages);
  return { p50: quantile(measured, 0.5), p95: quantile(measured, 0.95) };
}
