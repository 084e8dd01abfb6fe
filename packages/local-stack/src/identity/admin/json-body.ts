import { text } from 'node:stream/consumers';
import { sendJson, type Exchange } from '../http.ts';

/** Keycloak's body of a 400 for JSON of another shape. */
export const unexpectedJson = { error: 'unknown_error', error_description: 'Cannot parse the JSON' };

/**
 * Reads a JSON body. Keycloak does this before it checks the caller's roles.
 * @returns undefined if the response has been sent: 415 for another content type, and 400 for text that is no JSON
 */
export async function readJson({ req, res }: Exchange): Promise<{ value: unknown } | undefined> {
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? '')) {
    sendJson(res, 415, { error: 'The content-type header value did not match the value in @Consumes' });
    return undefined;
  }
  try {
    return { value: JSON.parse(await text(req)) };
  } catch {
    sendJson(res, 400, { error: 'invalid_request', error_description: 'Cannot parse the JSON' });
    return undefined;
  }
}
