import { connect, unscoped } from '@profile-service/db';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '../../../../../test/database.ts';
import type { AnyJob, Job, JobDependencies } from '../../../src/jobs/job.ts';
import { passwordMail } from '../../../src/jobs/password-mail.ts';
import { storageCleanup } from '../../../src/jobs/storage-cleanup.ts';
import { type JobRunner, startJobRunner } from '../../../src/jobs/runner.ts';
import { tracingShape } from '../../../src/observability/tracing/settings.ts';
import { startTracing } from '../../../src/observability/tracing/start-tracing.ts';
import { useCollector } from '../../support/collector.ts';
import { createTracedLog, type TracedLine } from '../../support/traced-log.ts';

const collector = useCollector();

/** Starts a traced runner of the jobs in a database of its own. `lines` are the lines of its log. */
async function startTracedRunner(jobs: AnyJob[]) {
  const settings = z.object(tracingShape).parse(collector.settings);
  const lines: TracedLine[] = [];
  const log = createTracedLog(collector.settings, lines);
  const tracing = await startTracing(settings, log);
  const database = connect({ connectionString: await createTestDatabase(), max: 3 });
  const runner = startJobRunner({
    jobs,
    dependencies: { database, log } as JobDependencies,
    metrics: { ran: () => undefined },
    tracing,
    stopMs: 2_000,
  });
  onTestFinished(async () => {
    await runner.stop();
    await tracing?.close();
  });
  return { runner, lines, database };
}

const unreachable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const mail: Job<{ userId: string }> = { ...passwordMail, pollSeconds: 0.5, run: () => Promise.reject(unreachable) };
const cleanup: Job = {
  ...storageCleanup,
  pollSeconds: 0.5,
  repeat: { firstAfterSeconds: 0, everySeconds: 3_600 },
  run: () => Promise.reject(unreachable),
};

test.each<[string, AnyJob, (runner: JobRunner, database: ReturnType<typeof connect>) => Promise<void>]>([
  [
    'job failed, will be retried',
    mail,
    async (runner, database) => {
      await database.transaction((executor) => {
        const transaction = { unscoped: unscoped(executor), afterCommit: (effect: () => void) => effect() };
        return runner.add(transaction, passwordMail, { userId: 'somebody' });
      });
    },
  ],
  ['job failed, will run again at its next scheduled time', cleanup, () => Promise.resolve()],
])('the line "%s" has the ids of the span of the run, which has failed with the code of the error', async (message, job, add) => {
  const { runner, lines, database } = await startTracedRunner([job]);
  await add(runner, database);
  const { traceId, spanId, status, attributes } = await collector.trace(job.name);
  expect([status.code, attributes['error.type']]).toEqual([2, 'ECONNREFUSED']);
  await expect.poll(() => lines).toMatchObject([{ msg: message, trace_id: traceId, span_id: spanId }]);
});
