import type { RequestHandler } from 'express';
import type { HealthReport } from '../../observability/health.ts';

/** `/health/live`, on the public and on the management port. */
export const live: RequestHandler = (_request, response) => void response.json({ status: 'ok' });

/** Creates `/health/ready`, for the public and for the management port. */
export const createReady =
  (report: () => HealthReport): RequestHandler =>
  (_request, response) => {
    const body = report();
    response.status(body.status === 'down' ? 503 : 200).json(body);
  };
