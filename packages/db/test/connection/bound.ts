import { createHash } from 'node:crypto';
import type { BoundStatement } from '../../src/connection/executor.ts';

/** A statement with values, as `Statement.bind` returns it. */
export function bound(text: string, ...values: unknown[]): BoundStatement {
  return { name: `t_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`, text, values };
}
