import { expect } from 'vitest';
import type { World } from './world.ts';

/** Waits until readers get all events. A transaction of any database of the server delays them. */
export const untilReadable = ({ sql }: Pick<World, 'sql'>): Promise<void> =>
  expect
    .poll(() => sql('select from journal where transaction_id >= pg_snapshot_xmin(pg_current_snapshot()) limit 1'), { timeout: 30_000 })
    .toHaveLength(0);
