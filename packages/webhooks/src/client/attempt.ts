/** The result of one attempt to send a request. */
export interface Attempt {
  at: Date;
  durationMs: number;
  /** Null if no response arrived. */
  responseStatus: number | null;
  /** The first 1,024 characters of the body. Null if no response arrived. */
  responseBody: string | null;
  /** Why the attempt failed, if it is not for the status. A body that does not arrive in time is an error beside the status. */
  error: string | null;
  /** `Retry-After` of a 429 or 503, at most 3600. */
  retryAfterSeconds: number | null;
  /** Whether the receiver asks not to send the event again, with the header `webhook-delivery: abort-message`. */
  abort: boolean;
}

/** Whether the receiver has accepted the event: a complete response with a status from 200 to 299. */
export const isDelivered = ({ responseStatus, error }: Attempt): boolean =>
  error === null && responseStatus !== null && responseStatus >= 200 && responseStatus <= 299;
