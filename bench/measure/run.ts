import { type SizeName } from '../data/size.ts';
import type { Options } from '../options.ts';
import type { Figures, WorkResult } from '../results.ts';
import type { Stage } from '../servers/stage.ts';
import { assertEqualResponses } from '../work/compare.ts';
import type { Work } from '../work/work.ts';
import { findWork } from '../work/works.ts';
import { compare, type Side } from './compare.ts';
import { measureGrowth } from './growth.ts';
import { measureMemory } from './memory.ts';
import { comparisons, growths, type PlannedComparison } from './plan.ts';
import { measureProcesses } from './processes.ts';
import { measureStartTime } from './start-time.ts';
import { countStatements } from './statements.ts';

/** The large database of a run. */
export const largeSizeOf = ({ quick }: Options): SizeName => (quick ? 'quick-large' : 'large');

/** Runs the measurements that the options select. */
export async function measure(stage: Stage, options: Options, progress: (text: string) => void): Promise<Figures> {
  const isSelected = ({ name }: { name: string }) => options.only.length === 0 || options.only.some((text) => name.startsWith(text));
  const large = largeSizeOf(options);
  const [selected, grown] = [comparisons.filter(isSelected), growths.filter(isSelected)];
  // Loading uses all processors, and the measurements do not.
  if (grown.length > 0 || selected.some(({ onLarge }) => onLarge)) await stage.worldOf(large);
  await stage.worldOf('small');

  const figures: Figures = { works: [], growths: [] };
  if (isSelected({ name: 'start' })) {
    progress('start');
    figures.startMs = await measureStartTime(stage, options);
  }
  if (isSelected({ name: 'memory' })) {
    progress('memory');
    figures.memory = await measureMemory(stage, options);
  }
  // Before the measurements that create records, which would make the small database larger.
  for (const planned of grown) {
    progress(planned.name);
    figures.growths.push(await measureGrowth(stage, planned, large, options));
  }
  const onFloor = selected.map(({ name }) => findWork(name)).filter((work) => work.onFloor);
  if (onFloor.length > 0 && options.baseline === undefined) {
    progress('comparing the responses of service and floor');
    await assertSameResponses(stage, onFloor);
  }
  for (const planned of selected) {
    progress(planned.name);
    figures.works.push(await measureWork(stage, planned, planned.onLarge ? large : 'small', options));
  }
  if (isSelected({ name: 'processes' })) {
    progress('processes');
    figures.processes = await measureProcesses(stage, options);
  }
  return figures;
}

/** Stops the run if the floor does other work than the service. */
async function assertSameResponses(stage: Stage, works: Work[]): Promise<void> {
  const [service, floor] = [await stage.serverOf('service', 'small'), await stage.serverOf('floor', 'small')];
  const world = await stage.worldOf('small');
  for (const work of works) await assertEqualResponses(work, world, { service: service.port, floor: floor.port });
}

async function measureWork(stage: Stage, planned: PlannedComparison, size: SizeName, options: Options): Promise<WorkResult> {
  const { name } = planned;
  const subject: Side = { server: 'service', work: name };
  const reference: Side = options.baseline === undefined ? planned.reference : { server: 'baseline', work: name };
  const comparison = await compare(stage, size, [subject, reference], options);
  const statements = async ({ server, work }: Side) => (await countStatements(stage, size, server, work)).perRequest;
  return {
    name,
    ...comparison,
    referenceSide: reference,
    statements: await statements(subject),
    referenceStatements: await statements(reference),
  };
}
