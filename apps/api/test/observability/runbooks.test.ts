import { expect, test } from 'vitest';
import { runbooks } from '../support/observability-files.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const statements = runbooks.flatMap(({ name, text }) =>
  [...text.matchAll(/`(select [^`]+)`/g)].map(([, statement = '']) => [name, statement] as const),
);

test.each(statements)('%s: PostgreSQL executes %s', async (_page, statement) => {
  // No process has the number 0.
  await expect(world.sql(statement.replace('<pid>', '0'))).resolves.toBeInstanceOf(Array);
});
