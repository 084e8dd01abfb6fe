import { files } from '../work/files.ts';
import { reads } from '../work/reads.ts';
import type { Work } from '../work/work.ts';
import { writes } from '../work/writes.ts';
import type { Side } from './compare.ts';

/** A kind of request, and what its cost is compared with. */
export interface PlannedComparison {
  name: string;
  reference: Side;
  /** Whether the measurement needs the large database. */
  onLarge: boolean;
}

const get = 'get by id';
/** What the floor does not respond to is compared with another kind of request. */
const references: Partial<Record<string, Side>> = {
  'permissions in the largest tenant': { server: 'floor', work: get },
  'get over tRPC': { server: 'floor', work: get },
  'tRPC batch of 10': { server: 'service', work: 'get over tRPC' },
};
const onLarge = new Set(['permissions in the largest tenant']);

/** All comparisons of CPU and throughput, in the order of the report. */
export const comparisons: readonly PlannedComparison[] = ([...reads, ...writes, ...files] as Work[]).map(({ name }) => ({
  name,
  reference: references[name] ?? { server: 'floor', work: name },
  onLarge: onLarge.has(name),
}));

/** The kinds of requests whose CPU of server and PostgreSQL together is compared with the floor on a schema without triggers. */
export const totals: readonly string[] = [
  'get by id',
  'members of a tenant',
  'list with a name filter',
  'create a contact',
  'create an organization',
  'add a member',
];

/** How the median duration on one database compares to that on another. */
export interface PlannedGrowth {
  name: string;
  work: string;
  /** What the large database is compared with: the small one, or another kind of request on the large one. */
  against: 'small' | { work: string };
  /** Leaves out the time in which the database finds the total. */
  withoutTotal: boolean;
}

const growth = (name: string, work: string, rest: Partial<PlannedGrowth> = {}): PlannedGrowth => ({
  name: `growth: ${name}`,
  work,
  against: 'small',
  withoutTotal: false,
  ...rest,
});

export const growths: readonly PlannedGrowth[] = [
  growth('get by id', get),
  growth('list of a tenant with 20 organizations', 'list of a tenant with 20 organizations'),
  growth('page without its total, largest tenant', 'list of the largest tenant', { withoutTotal: true }),
  growth('page without its total, unscoped', 'unscoped list', { withoutTotal: true }),
  growth('name filter in the largest tenant', 'name filter in the largest tenant'),
  growth('unscoped name filter', 'unscoped name filter'),
  growth('page 1,000 of the unscoped list against its page 1', 'page 1,000 of the unscoped list', { against: { work: 'unscoped list' } }),
  growth('first page with its total, largest tenant', 'list of the largest tenant'),
  growth('first page with its total, unscoped', 'unscoped list'),
  growth('list by cursor against the page without its total', 'first page by cursor', {
    against: { work: 'page of a tenant' },
    withoutTotal: true,
  }),
  growth('list by cursor against the page without its total, unscoped', 'first page by cursor, unscoped', {
    against: { work: 'unscoped list' },
    withoutTotal: true,
  }),
  growth('list by cursor, page 1,000 against page 1', 'page 1,000 by cursor, unscoped', {
    against: { work: 'first page by cursor, unscoped' },
  }),
  growth('list sorted by name', 'sorted by name'),
  growth('list sorted by name, unscoped', 'sorted by name, unscoped'),
  growth('list of the last changes', 'changed since'),
  growth('list of the last changes, unscoped', 'changed since, unscoped'),
  growth('list with two filters', 'two filters'),
  growth('list with two filters and its total', 'two filters, with the total'),
];
