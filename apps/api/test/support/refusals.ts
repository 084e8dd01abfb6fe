import type { Service } from '../../src/service.ts';

/** How many requests the service has refused because of a limit of their tenant. It needs a management port. */
export async function refusalsOf({ managementUrl }: Service): Promise<number> {
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  return Number(/^profile_rate_limited_total\{limit="tenant"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
