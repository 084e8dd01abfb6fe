import type { EventFigures } from './measure/events/measure.ts';
import type { Figures, WorkResult } from './results.ts';

/** A limit for one figure. */
export interface Target {
  name: string;
  /** How the figure is computed, for the report. */
  figure: string;
  /** The figure must be at most this, or at least this. */
  atMost?: number;
  atLeast?: number;
  /** Undefined if the run has not measured it. */
  of(figures: Figures): number | undefined;
}

const mebibyte = 2 ** 20;

const workTarget = (name: string, figure: string, limit: Pick<Target, 'atMost' | 'atLeast'>, of: (work: WorkResult) => number): Target => ({
  name,
  figure,
  ...limit,
  of({ works }) {
    const work = works.find((each) => each.name === name);
    return work && of(work);
  },
});
const cpu = (name: string, atMost: number, reference = 'the floor') =>
  workTarget(name, `server CPU per request / ${reference}`, { atMost }, ({ cpuRatio }) => cpuRatio);
const total = (name: string, atMost: number): Target => ({
  name,
  figure: 'CPU of server and PostgreSQL per request / the bare floor',
  atMost,
  of: ({ totals }) => totals.find((each) => each.name === name)?.totalCpuRatio,
});
const throughput = (name: string, atLeast: number) =>
  workTarget(name, 'requests per second / the floor', { atLeast }, ({ throughputRatio }) => throughputRatio);
const growthNamed = (name: string, { growths }: Figures) => growths.find((each) => each.name === `growth: ${name}`);
const growth = (name: string, atMost: number, figure = 'median duration, large / small'): Target => ({
  name: `growth: ${name}`,
  figure,
  atMost,
  of: (figures) => growthNamed(name, figures)?.ratio,
});
const duration = (name: string, atMost: number): Target => ({
  name: `growth: ${name}`,
  figure: 'median duration in ms, large',
  atMost,
  of: (figures) => growthNamed(name, figures)?.large,
});
const events = (name: string, figure: string, limit: Pick<Target, 'atMost' | 'atLeast'>, of: (events: EventFigures) => number): Target => ({
  name: `events: ${name}`,
  figure,
  ...limit,
  of: ({ events: measured }) => measured && of(measured),
});

/** The targets of the service. `npm run bench` fails if one is missed. */
export const targets: readonly Target[] = [
  cpu('get by id', 1.35),
  cpu('list of 20', 1.25),
  cpu('list with a name filter', 1.3),
  cpu('members of a tenant', 1.35),
  cpu('create a contact', 2),
  cpu('add a member', 2),
  cpu('create an organization', 2),
  cpu('get over tRPC', 2.5, "the floor's get by id"),
  cpu('tRPC batch of 10', 4, "the service's get over tRPC"),
  cpu('permissions in the largest tenant', 1.5, "the floor's get by id"),
  total('get by id', 1.2),
  total('members of a tenant', 1.2),
  total('list with a name filter', 1.1),
  total('create a contact', 2),
  total('create an organization', 2),
  total('add a member', 2.5),
  {
    name: 'stored per write',
    figure: 'bytes of the journal and of the stored response',
    atMost: 1_350,
    of: ({ features }) => features?.stored.reduce((sum, { bytesPerWrite }) => sum + bytesPerWrite, 0),
  },
  throughput('download of 1 MiB', 0.8),
  throughput('upload of 10 MiB', 0.8),
  {
    name: 'memory: one upload',
    figure: 'MiB above idle',
    atMost: 64,
    of: ({ memory }) => memory && (memory.oneUpload - memory.idle) / mebibyte,
  },
  {
    name: 'memory: ten uploads at once',
    figure: 'MiB above idle',
    atMost: 256,
    of: ({ memory }) => memory && (memory.tenUploads - memory.idle) / mebibyte,
  },
  { name: 'memory: idle', figure: 'MB', atMost: 115, of: ({ memory }) => memory && memory.idle / 1e6 },
  { name: 'start', figure: 'seconds until it accepts connections', atMost: 1, of: ({ startMs }) => startMs && startMs / 1000 },
  growth('get by id', 1.2),
  growth('list of a tenant with 20 organizations', 1.2),
  growth('page without its total, largest tenant', 1.5),
  growth('page without its total, unscoped', 1.5),
  growth('name filter in the largest tenant', 3),
  growth('unscoped name filter', 3),
  growth('page 1,000 of the unscoped list against its page 1', 10, 'median duration, page 1,000 / page 1'),
  growth('first page with its total, largest tenant', 2),
  growth('first page with its total, unscoped', 2),
  growth('list by cursor against the page without its total', 1.2, 'median duration, by cursor / without the total'),
  growth('list by cursor against the page without its total, unscoped', 1.2, 'median duration, by cursor / without the total'),
  growth('list by cursor, page 1,000 against page 1', 1.3, 'median duration, page 1,000 / page 1'),
  duration('list sorted by name', 25),
  duration('list sorted by name, unscoped', 10),
  duration('list of the last changes', 5),
  duration('list of the last changes, unscoped', 5),
  duration('list with two filters', 30),
  events('page of a quiet tenant', 'p50 in ms', { atMost: 20 }, ({ quietPage }) => quietPage.p50),
  events('streams', 'ms from the response of a write to its event, p50', { atMost: 300 }, ({ streams }) => streams.p50),
  events('streams, slowest', 'ms from the response of a write to its event, p99', { atMost: 1_000 }, ({ streams }) => streams.p99),
  events('deliveries', 'requests per second to one webhook', { atLeast: 500 }, ({ deliveries }) => deliveries.perSecond),
];

/** A target with its figure. */
export interface Evaluated {
  name: string;
  figure: string;
  /** Such as `≤ 1.35`. */
  limit: string;
  value: number;
  met: boolean;
}

/** Compares the figures with the targets. Leaves out targets whose figure the run has not measured. */
export function evaluate(figures: Figures, all: readonly Target[] = targets): Evaluated[] {
  return all.flatMap(({ name, figure, atMost = Infinity, atLeast = -Infinity, of }) => {
    const value = of(figures);
    if (value === undefined) return [];
    const limit = Number.isFinite(atMost) ? `≤ ${atMost}` : `≥ ${atLeast}`;
    return [{ name, figure, limit, value, met: value <= atMost && value >= atLeast }];
  });
}
