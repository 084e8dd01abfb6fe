import type { Environment } from '../environment/environment.ts';
import { send } from '../load/request.ts';
import type { Acknowledged } from '../load/writer.ts';
import { checkEach } from './check-each.ts';

/**
 * Sends acknowledged writes again with their keys. Returns those whose response differs from the first one (IDEMPOTENCY-4).
 * @param sample number of keys that are sent
 */
export async function checkReplays(
  { instances }: Pick<Environment, 'instances'>,
  acknowledged: readonly Acknowledged[],
  sample = 100,
): Promise<string[]> {
  const keyed = acknowledged.filter(({ request }) => request.key !== undefined);
  const chosen = keyed.toSorted(() => Math.random() - 0.5).slice(0, sample);
  return checkEach(chosen, async ({ request, status, body }, index) => {
    const again = await send(instances.urls[index % instances.urls.length] ?? '', request);
    if (again.status === status && again.body.equals(body) && again.isReplay) return [];
    return [`${request.method} ${request.path} with the same key returned ${again.outcome} instead of the first response`];
  });
}
