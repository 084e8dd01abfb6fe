import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { checkSession, connect } from '../src/index.ts';

const connectionString = await createTestDatabase();

function open(statementTimeoutSeconds: number) {
  const options = { connectionString, statementTimeoutSeconds, max: 1 };
  const { pool, close } = connect(options);
  onTestFinished(close);
  return { options, pool };
}

// PostgreSQL prints 60 seconds as 1min.
test.each([1, 10, 55, 60])(
  'a statement timeout of %d seconds reaches the session, and the check of the session accepts it',
  async (seconds) => {
    const { options, pool } = open(seconds);
    const text =
      "select name, setting from pg_settings where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name";
    const { rows } = await pool.query(text);
    expect(rows.map(({ setting }: { setting: string }) => Number(setting))).toEqual([(seconds + 5) * 1000, seconds * 1000]);
    await expect(checkSession(pool, options)).resolves.toBeUndefined();
  },
);

test('the check of the session rejects another statement timeout', async () => {
  const { options, pool } = open(10);
  await expect(checkSession(pool, { ...options, statementTimeoutSeconds: 20 })).rejects.toThrow(
    'statement_timeout, idle_in_transaction_session_timeout',
  );
});
