import { expect, test, vi } from 'vitest';
import { createProgress } from '../../local/progress.ts';

test('a later start prints only a step that takes 2 seconds', async () => {
  vi.useFakeTimers();
  const print = vi.fn<(line: string) => void>();
  const progress = createProgress(false, print);
  await progress('Short', async () => undefined);
  const long = progress('Long', () => new Promise((resolve) => setTimeout(resolve, 2_500)));
  await vi.advanceTimersByTimeAsync(1_999);
  expect(print).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  await long;
  vi.useRealTimers();
  expect(print.mock.calls).toEqual([['Long …']]);
});
