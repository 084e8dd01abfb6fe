import { connect } from '@profile-service/db';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { createJobMetrics } from '../../src/jobs/metrics.ts';

/** Creates the job metrics of a database. `scrape` returns the values by name and labels. */
function metricsOn(connectionString: string) {
  const registry = new Registry();
  const database = connect({ connectionString, max: 2 });
  onTestFinished(() => database.close());
  const metrics = createJobMetrics(registry, database, ['password-mail', 'storage-cleanup']);
  const scrape = async () => {
    const samples = (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));
    return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  };
  return { metrics, scrape, sql: (text: string) => database.pool.query(text) };
}

test('the metrics count runs by outcome, waiting jobs, and how long the oldest due one has waited', async () => {
  const { metrics, scrape, sql } = metricsOn(await createTestDatabase());
  metrics.ran('password-mail', 'ok', 0.2);
  metrics.ran('password-mail', 'failed', 5);
  await sql(`insert into pgboss.job (name, state, start_after) values
    ('password-mail', 'retry', now() - interval '10 min'), ('password-mail', 'created', now() + interval '1 h'),
    ('password-mail', 'active', now() - interval '1 h'), ('password-mail', 'failed', now() - interval '1 h')`);
  const values = await scrape();
  expect(values.get('profile_job_duration_seconds_count{job_name="password-mail",outcome="ok"}')).toBe(1);
  expect(values.get('profile_job_duration_seconds_sum{job_name="password-mail",outcome="failed"}')).toBe(5);
  expect(values.get('profile_jobs_waiting{job_name="password-mail"}')).toBe(2);
  expect(values.get('profile_job_overdue_seconds{job_name="password-mail"}')).toBeGreaterThanOrEqual(600);
  expect(values.get('profile_jobs_waiting{job_name="storage-cleanup"}')).toBe(0);
  expect(values.get('profile_job_overdue_seconds{job_name="storage-cleanup"}')).toBe(0);
});

test('a scrape while the database is not reachable reports all metrics except those of the queue', async () => {
  const { metrics, scrape } = metricsOn('postgres://nobody@127.0.0.1:1/nothing');
  metrics.ran('storage-cleanup', 'ok', 2);
  const values = await scrape();
  expect(values.get('profile_job_duration_seconds_count{job_name="storage-cleanup",outcome="ok"}')).toBe(1);
  expect([...values.keys()].filter((name) => name.includes('waiting') || name.includes('overdue'))).toEqual([]);
});
