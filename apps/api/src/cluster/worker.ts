import { once } from 'node:events';
import type { JobName } from '@profile-service/db';
import { createLog } from '../observability/log.ts';
import { spanFieldsIfTraced } from '../observability/tracing/span-fields.ts';
import { type Service, startService } from '../service/service.ts';
import type { Settings } from '../settings.ts';
import type { Answers, MessageToPrimary, MessageToWorker, Question } from './messages.ts';

/** Starts the service in a worker of the cluster. The primary process owns the management port. */
export async function startWorker(settings: Settings): Promise<Service> {
  const [message] = (await once(process, 'message')) as [MessageToWorker];
  if (!('start' in message)) throw new Error('The first message to a worker must start it');
  const { number, runsJobs } = message.start;
  const log = createLog(settings.LOG_LEVEL, undefined, spanFieldsIfTraced(settings)).child({ worker: number });
  const wakeJobRunner = runsJobs ? undefined : (added: JobName) => send({ added });
  const service = await startService({ ...settings, MANAGEMENT_PORT: undefined }, { log, wakeJobRunner });
  process.on('message', (received: MessageToWorker) => {
    if ('wake' in received) service.jobs.wake(received.wake);
    if ('question' in received) {
      const { id, question } = received;
      answer(service, question)
        .then((answered) => send({ id, answer: answered }))
        .catch((error: unknown) => log.error({ err: error, question }, 'a question of the primary process failed'));
    }
  });
  return service;
}

async function answer({ metrics, health }: Service, question: Question): Promise<Answers[Question]> {
  return question === 'metrics' ? metrics.registry.getMetricsAsJSON() : health.detailedReport();
}

function send(message: MessageToPrimary): void {
  // The channel is closed if the primary process has died. Node then ends this process.
  if (process.connected) process.send?.(message);
}
