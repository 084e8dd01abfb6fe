import { cpus, totalmem } from 'node:os';
import type { Comparison, Side } from './measure/compare.ts';
import type { EventFigures } from './measure/events/measure.ts';
import type { FeatureCosts } from './measure/feature-costs.ts';
import type { Growth } from './measure/growth.ts';
import type { Memory } from './measure/memory.ts';
import { currentCommit } from '../scripts/current-commit.ts';
import type { Options } from './options.ts';

/** The comparison of one kind of request. */
export interface WorkResult extends Comparison {
  name: string;
  referenceSide: Side;
  /** Statements per request, with BEGIN and COMMIT. */
  statements: number;
  referenceStatements: number;
}

/** The comparison of one kind of request with the floor on a schema without triggers. */
export interface TotalResult extends Comparison {
  name: string;
}

/** What a run has measured. What it has not measured is absent. */
export interface Figures {
  works: WorkResult[];
  totals: TotalResult[];
  growths: Growth[];
  features?: FeatureCosts;
  events?: EventFigures;
  memory?: Memory;
  /** Milliseconds. */
  startMs?: number;
}

/** A run with its figures. */
export interface Results extends Figures {
  command: string;
  /** YYYY-MM-DD. */
  date: string;
  commit: string;
  machine: { processor: string; processors: number; memoryBytes: number; node: string; postgres: string };
  rounds: number;
  seconds: number;
  /** Organizations in the large database. */
  largeOrganizations: number;
}

/** Describes the run: when, on which commit and on which machine. */
export function describeRun({ command, rounds, seconds }: Options, postgres: string): Omit<Results, keyof Figures | 'largeOrganizations'> {
  const processors = cpus();
  return {
    command,
    date: new Date().toISOString().slice(0, 10),
    commit: currentCommit(),
    rounds,
    seconds,
    machine: {
      processor: processors[0]?.model ?? 'unknown',
      processors: processors.length,
      memoryBytes: totalmem(),
      node: process.version,
      postgres,
    },
  };
}
