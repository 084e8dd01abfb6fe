import { vi } from 'vitest';
import { createLog } from '../../src/observability/log.ts';

type Line = Record<string, unknown> & { level: number; msg: string };

/** Creates a log whose lines a test can read. */
export function recordLog(level = 'info') {
  let written: string[] = [];
  const lines = () => written.map((line) => JSON.parse(line) as Line);
  return {
    log: createLog(level, { write: (line) => void written.push(line) }),
    text: () => written.join(''),
    lines,
    /** Messages and reasons of the lines about a part of the service, or about any part. */
    about: (part?: string) =>
      lines()
        .filter((line) => (part === undefined ? line['part'] !== undefined : line['part'] === part))
        .map(({ msg, reason }) => [msg, ...(typeof reason === 'string' ? [reason] : [])]),
    /** Waits for the last line of the start of a service, which may come late on a busy machine. */
    started: () => vi.waitUntil(() => written.join('').includes('invalidations from other instances arrive'), 20_000),
    /** Forgets what was written. */
    clear: () => void (written = []),
  };
}
