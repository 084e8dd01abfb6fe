import { type Cost, costOf } from './second-wall/costs.ts';
import { alternate, type Path } from './second-wall/measure.ts';
import { setStage } from './second-wall/stage.ts';
import { bases, variants } from './second-wall/variants.ts';

/**
 * `pnpm --filter @profile-service/api bench:second-wall [rounds] [reads]`: what row-level security would cost a read, in processor time of the
 * service and of PostgreSQL together. Linux alone.
 */
const plan = { rounds: Number(process.argv[2] ?? 100), reads: Number(process.argv[3] ?? 200), atOnce: 4 };
const most = 0.1;
const reads: Record<string, Path> = {
  'GET /api/organizations/{id}': ({ organizationIds: ids }) => `/api/organizations/${ids[Math.floor(Math.random() * ids.length)]}`,
  'GET /api/organizations': () => '/api/organizations',
};

const stage = await setStage(plan.atOnce);
const verdicts: string[] = [];
try {
  for (const [title, path] of Object.entries(reads)) {
    const measured = await alternate(stage, path, plan);
    const base = bases.map((name) => measured.get(name) ?? []);
    const costs = [...measured].map(([name, blocks]): [string, Cost] => [name, costOf(blocks, base)]);
    tell(title, costs);
    const [cheapest] = costs.filter(([name]) => variants[name]?.role !== 'none').toSorted(([, a], [, b]) => a.more - b.more);
    if (cheapest)
      verdicts.push(`${title}: ${percent(cheapest[1].more)} (${cheapest[0]}), ${cheapest[1].more < most ? '' : 'not '}less than 10 %`);
  }
} finally {
  await stage.stop();
}
console.log(`\nThe cheapest wall costs\n${verdicts.join('\n')}`);

function tell(title: string, costs: [string, Cost][]): void {
  console.log(`\n${title}: microseconds of processor time per read, medians of ${plan.rounds} × ${plan.reads} reads`);
  const lines = costs.map(([name, { service, postgres, more, between }]) => [
    name,
    {
      service: Math.round(service),
      PostgreSQL: Math.round(postgres),
      more: percent(more),
      'eight rounds in ten': between.map(percent).join(' to '),
    },
  ]);
  console.table(Object.fromEntries(lines));
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}
