import type { HealthReport } from '../../observability/health.ts';
import { type Pages, sendContent } from './page.ts';

/**
 * Creates `/health/live` and `/health/ready`, for the public and for the management port.
 * @param report the body of `/health/ready`
 */
export function createHealthPages(report: () => HealthReport | Promise<HealthReport>): Pages<'/health/live' | '/health/ready'> {
  return {
    '/health/live': (_request, response) => sendContent(response, 'json', JSON.stringify({ status: 'ok' })),
    async '/health/ready'(_request, response) {
      const body = await report();
      sendContent(response, 'json', JSON.stringify(body), body.status === 'down' ? 503 : 200);
    },
  };
}
