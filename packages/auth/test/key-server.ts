import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { listen } from '../../../test/listen.ts';

const path = '/realms/profile';

export type KeyServer = Awaited<ReturnType<typeof startKeyServer>>;

/**
 * Starts an HTTP server with the keys of an issuer. It counts fetches and can delay or damage responses.
 * @param publicOrigin origin of the issuer and of the URLs in responses; default: its own address
 */
export async function startKeyServer(publicOrigin?: string) {
  let keys: { kid: string; privateKey: CryptoKey; published: JWK }[] = [];
  const server = createServer((request, response) => void respond(request, response));
  const port = await listen(server);
  const origin = `http://127.0.0.1:${port}`;
  const issuer = `${publicOrigin ?? origin}${path}`;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isKeys = request.url === `${path}/certs`;
    if (isKeys) self.fetches += 1;
    if (self.answer) return self.answer(request, response);
    const body = JSON.stringify(isKeys ? { keys: keys.map(({ published }) => published) } : { issuer, jwks_uri: `${issuer}/certs` });
    if (isKeys) await self.hold;
    response.setHeader('content-type', 'application/json').end(body);
  }

  const self = {
    /** Its address without path. */
    origin,
    issuer,
    /** Number of fetches of the keys. */
    fetches: 0,
    /** Replaces the responses of the server. */
    answer: undefined as ((request: IncomingMessage, response: ServerResponse) => void) | undefined,
    /** The server reads the keys at once and sends them after this promise. */
    hold: undefined as Promise<void> | undefined,
    /** Signs with a new key from now on. Old keys are removed unless `keepOld`. */
    async rotate(keepOld = false) {
      const { privateKey, publicKey } = await generateKeyPair('ES256');
      const kid = crypto.randomUUID();
      const published = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
      keys = [{ kid, privateKey, published }, ...(keepOld ? keys : [])];
    },
    /** A token of the current key, or of an unknown key if `header` has another `kid`. */
    async sign(claims: JWTPayload = {}, header: { kid?: string } = {}) {
      const [current] = keys;
      if (!current) throw new Error('There is no key');
      return new SignJWT({ iss: issuer, sub: 'a-person', typ: 'Bearer', jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: current.kid, ...header })
        .setExpirationTime('5m')
        .sign(current.privateKey);
    },
    start: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)),
    /** Frees the port. `start` uses it again. */
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await self.rotate();
  return self;
}
