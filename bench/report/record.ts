import { recordFigures } from '../../test/figures/figures.ts';
import type { Results } from '../results.ts';
import type { Evaluated } from '../targets.ts';
import { benchmarkFigures } from './page.ts';

/** Writes the figures of a run into docs/run/figures.md. */
export const recordResults = (results: Results, evaluated: readonly Evaluated[]): Promise<void> =>
  recordFigures('benchmark', benchmarkFigures(results, evaluated));
