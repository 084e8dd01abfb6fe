import { type SizeName } from '../data/size.ts';
import type { Options } from '../options.ts';
import type { Figures, WorkResult } from '../results.ts';
import type { Environment } from '../servers/environment.ts';
import { assertEqualResponses } from '../work/compare.ts';
import type { Work } from '../work/work.ts';
import { findWork } from '../work/works.ts';
import { compare, type Side, warmUp } from './compare.ts';
import { measureEvents } from './events/measure.ts';
import { measureFeatureCosts } from './feature-costs.ts';
import { measureGrowth } from './growth.ts';
import { measureMemory } from './memory.ts';
import { comparisons, growths, type PlannedComparison, totals } from './plan.ts';
import { measureStartTime } from './start-time.ts';
import { countStatements } from './statements.ts';

/** How long both servers run before the first comparison: V8 optimizes a new process for some ten seconds, on the processor time that is measured. */
const warmUpSeconds = 10;

/** The large database of a run. */
export const largeSizeOf = ({ quick }: Options): SizeName => (quick ? 'quick-large' : 'large');

/** Runs the measurements that the options select. */
export async function measure(environment: Environment, options: Options, progress: (text: string) => void): Promise<Figures> {
  const isSelected = ({ name }: { name: string }) => options.only.length === 0 || options.only.some((text) => name.startsWith(text));
  const large = largeSizeOf(options);
  const [selected, grown] = [comparisons.filter(isSelected), growths.filter(isSelected)];
  const others = ['start', 'memory', 'features', 'events'].filter((name) => isSelected({ name }));
  if (selected.length + grown.length + others.length === 0) throw new Error(`No measurement starts with ${options.only.join(' or ')}`);
  // Loading uses all processors, and the measurements do not.
  if (grown.length > 0 || selected.some(({ onLarge }) => onLarge)) await environment.worldOf(large);
  await environment.worldOf('small');

  const figures: Figures = { works: [], totals: [], growths: [] };
  if (others.includes('start')) {
    progress('start');
    figures.startMs = await measureStartTime(environment, options);
  }
  if (others.includes('memory')) {
    progress('memory');
    figures.memory = await measureMemory(environment, options);
  }
  // Before the measurements that create records, which would make the small database larger.
  for (const planned of grown) {
    progress(planned.name);
    figures.growths.push(await measureGrowth(environment, planned, large, options));
  }
  const onFloor = selected.map(({ name }) => findWork(name)).filter((work) => work.onFloor);
  if (onFloor.length > 0 && options.baseline === undefined) {
    progress('comparing the responses of service and floor');
    await assertSameResponses(environment, onFloor);
  }
  const sizeOf = ({ onLarge }: PlannedComparison) => (onLarge ? large : 'small');
  const [first] = selected;
  if (first) {
    progress('warming up');
    await warmUp(environment, sizeOf(first), sidesOf(first, options), warmUpSeconds);
  }
  for (const planned of selected) {
    progress(planned.name);
    figures.works.push(await measureWork(environment, planned, sizeOf(planned), options));
  }
  for (const name of options.baseline === undefined ? totals.filter((work) => isSelected({ name: work })) : []) {
    progress(`${name}, with PostgreSQL`);
    const sides: [Side, Side] = [
      { server: 'service', work: name },
      { server: 'bare floor', work: name },
    ];
    figures.totals.push({ name, ...(await compare(environment, 'small', sides, options)) });
  }
  if (others.includes('features')) {
    progress('features');
    figures.features = await measureFeatureCosts(environment, options);
  }
  // Last: it adds many rows to the journal of the small database.
  if (others.includes('events')) {
    progress('events');
    figures.events = await measureEvents(environment, options);
  }
  return figures;
}

/** Stops the run if the floor does other work than the service. */
async function assertSameResponses(environment: Environment, works: Work[]): Promise<void> {
  const [service, floor] = [await environment.serverOf('service', 'small'), await environment.serverOf('floor', 'small')];
  const world = await environment.worldOf('small');
  for (const work of works) await assertEqualResponses(work, world, { service: service.port, floor: floor.port });
}

const sidesOf = ({ name, reference }: PlannedComparison, { baseline }: Options): [Side, Side] => [
  { server: 'service', work: name },
  baseline === undefined ? reference : { server: 'baseline', work: name },
];

async function measureWork(environment: Environment, planned: PlannedComparison, size: SizeName, options: Options): Promise<WorkResult> {
  const [subject, reference] = sidesOf(planned, options);
  const comparison = await compare(environment, size, [subject, reference], options);
  const statements = async ({ server, work }: Side) => (await countStatements(environment, size, server, work)).perRequest;
  return {
    name: planned.name,
    ...comparison,
    referenceSide: reference,
    statements: await statements(subject),
    referenceStatements: await statements(reference),
  };
}
