import { compare } from './measure/ratio.ts';
import { readOptions } from './options.ts';
import { significant, textTable } from './report/table.ts';
import { setStage } from './servers/stage.ts';
import { assertEqualResponses } from './work/compare.ts';
import { works } from './work/works.ts';

const options = readOptions(process.argv.slice(2));
await using disposables = new AsyncDisposableStack();
const stage = await setStage(options, disposables, (text) => console.error(text));
const chosen = works.filter(({ name }) => options.only.length === 0 || options.only.some((text) => name.includes(text)));
const world = await stage.worldOf('small');
const [service, floor] = [await stage.serverOf('service', 'small'), await stage.serverOf('floor', 'small')];
for (const work of chosen.filter(({ onFloor }) => onFloor))
  await assertEqualResponses(work, world, { service: service.port, floor: floor.port });
const rows: string[][] = [];
for (const work of chosen) {
  console.error(`measuring ${work.name}`);
  const reference = options.baseline
    ? ({ server: 'baseline', work: work.name } as const)
    : ({ server: 'floor', work: work.onFloor ? work.name : 'get by id' } as const);
  const { subject, reference: other, cpuRatio } = await compare(stage, 'small', { server: 'service', work: work.name }, reference, options);
  const cells = (result: typeof subject | undefined) =>
    result ? [result.perSecond, result.p50, result.p99, result.serverCpu, result.postgresCpu].map(significant) : [];
  rows.push([work.name, ...cells(subject), significant(cpuRatio)], [`  ${reference.server}`, ...cells(other)]);
}
console.log(textTable(['work', 'per second', 'p50 ms', 'p99 ms', 'server CPU µs', 'PostgreSQL CPU µs', 'CPU ratio'], rows));
