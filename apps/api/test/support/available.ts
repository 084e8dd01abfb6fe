import { setTimeout as pause } from 'node:timers/promises';

/** 503 tells a client to send the request again. On a busy machine the service may reach its time limits. */
const tries = 4;

/** Sends a request again after a 503, a few times. A request that always gets 503 keeps it. */
export async function untilAvailable<Response extends { status: number }>(send: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send();
    if (response.status !== 503 || attempt === tries) return response;
    await pause(attempt * 500);
  }
}
