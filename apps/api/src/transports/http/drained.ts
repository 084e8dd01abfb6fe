import type { Response } from 'express';

/** Waits until the client has received what was sent. Disconnects a client that takes longer. @returns false for such a client, and for one that has gone */
export function drained(response: Response, waitMs: number): Promise<boolean> {
  // A response that has closed emits no further event.
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      response.off('drain', end).off('close', end);
      resolve(!response.destroyed);
    };
    const timer = setTimeout(() => response.destroy(), waitMs);
    response.on('drain', end).on('close', end);
  });
}
