import type { Service } from '../../src/service/service.ts';

/** The sum of a metric's samples whose labels match, e.g. `/limit="tenant"/`; without labels, its value. The service needs a management port. */
export async function metricOf({ managementUrl }: Pick<Service, 'managementUrl'>, name: string, labels = /./): Promise<number> {
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  const samples = text.split('\n').filter((line) => line.startsWith(`${name} `) || (line.startsWith(`${name}{`) && labels.test(line)));
  return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
