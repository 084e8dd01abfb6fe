import type { Blocks } from './measure.ts';
import type { Cpu } from './service.ts';

export interface Cost {
  /** Microseconds per read: medians of the blocks. */
  service: number;
  postgres: number;
  /** How much more than without a wall, both parts together: median of the rounds' ratios, 0.1 for a tenth more. */
  more: number;
  /** The same in each tenth of the rounds that differ most: from, to. */
  between: [number, number];
}

/** @param bases what ran without a wall: their mean in each round is what the round's others are compared with */
export function costOf(blocks: Blocks, bases: readonly Blocks[]): Cost {
  const ratios = blocks.map((block, round) => whole(block) / mean(bases.map((base) => whole(base[round] ?? block))) - 1);
  return {
    service: quantile(
      0.5,
      blocks.map(({ service }) => service),
    ),
    postgres: quantile(
      0.5,
      blocks.map(({ postgres }) => postgres),
    ),
    more: quantile(0.5, ratios),
    between: [quantile(0.1, ratios), quantile(0.9, ratios)],
  };
}

const whole = ({ service, postgres }: Cpu) => service + postgres;
const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function quantile(part: number, numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.round(part * (numbers.length - 1))] ?? Number.NaN;
}
