import type { Environment } from '../environment/environment.ts';
import { send } from '../load/request.ts';
import type { Acknowledged } from '../load/writer.ts';
import { checkEach } from './check-each.ts';

/** Number of keys that are sent again after a fault. */
const sample = 100;

/** Sends acknowledged writes again with their keys. Returns those whose response differs from the first one (IDEMPOTENCY-4). */
export async function checkReplays({ instances }: Environment, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const keyed = acknowledged.filter(({ request }) => request.key !== undefined);
  const chosen = keyed.toSorted(() => Math.random() - 0.5).slice(0, sample);
  return checkEach(chosen, async ({ request, status, body }, index) => {
    const again = await send(instances.urls[index % instances.urls.length] ?? '', request);
    if (again.status === status && again.body.equals(body) && again.isReplay) return [];
    return [`${request.method} ${request.path} with the same key returned ${again.outcome} instead of the first response`];
  });
}
