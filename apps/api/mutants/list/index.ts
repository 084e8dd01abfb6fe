import type { Mutant } from '../mutant.ts';
import { callers } from './callers.ts';
import { changes } from './changes.ts';
import { guards } from './guard.ts';
import { noise } from './noise.ts';
import { records } from './records.ts';
import { scope } from './scope.ts';

/** All mutants, in the order of docs/mutants.md. */
export const mutants: readonly Mutant[] = [...scope, ...callers, ...guards, ...changes, ...records, ...noise];
