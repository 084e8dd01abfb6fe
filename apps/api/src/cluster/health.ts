import { dependencies, type DetailedHealthReport } from '../observability/health.ts';

const severity = ['ok', 'degraded', 'down'] as const;

/**
 * Combines the reports of the workers: each check has its worst result, and so has the status, because every worker gets a share of the connections.
 * @param reports undefined for a worker that does not respond
 */
export function combineHealth(reports: readonly (DetailedHealthReport | undefined)[]): DetailedHealthReport {
  const known = reports.filter((report) => report !== undefined);
  const areAllKnown = known.length === reports.length && known.length > 0;
  const worst = Math.max(...known.map(({ status }) => severity.indexOf(status)));
  const check = (dependency: (typeof dependencies)[number]) =>
    known.length > 0 && known.every(({ checks }) => checks[dependency] === 'ok') ? 'ok' : 'down';
  return {
    status: areAllKnown ? (severity[worst] ?? 'down') : 'down',
    checks: Object.fromEntries(dependencies.map((dependency) => [dependency, check(dependency)])) as DetailedHealthReport['checks'],
    reasons: Object.assign({}, ...known.map(({ reasons }) => reasons)) as DetailedHealthReport['reasons'],
  };
}
