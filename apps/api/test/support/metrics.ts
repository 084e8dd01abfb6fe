import type { Service } from '../../src/service.ts';

/** The sum of a metric's samples that have all these labels, e.g. `limit="tenant"`. The service needs a management port. */
export async function metricOf({ managementUrl }: Pick<Service, 'managementUrl'>, name: string, ...labels: string[]): Promise<number> {
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  const samples = text.split('\n').filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)));
  return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
