import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const problem = {
  type: 'https://profile.example.com/errors#CODE_OF_A_LATER_VERSION',
  title: 'Code of a later version',
  status: 404,
  code: 'CODE_OF_A_LATER_VERSION',
  detail: 'A later version responds with this.',
  instance: '2f1c9a54-3b8e-4d0a-9c57-6e1f0b7a8d21',
  fieldOfALaterVersion: { nested: true },
};

/**
 * Starts a server that responds as a later version of the service may: a list with unknown fields, and a problem with an unknown code for each record.
 * @param organization a record of this version
 */
export async function startLaterVersion(organization: object): Promise<{ url: string; stop(): void }> {
  const page = {
    data: [{ ...organization, fieldOfALaterVersion: [1] }],
    total: 1,
    totalPages: 1,
    currentPage: 1,
    fieldOfALaterVersion: 'x',
  };
  const server = createServer(({ url = '' }, response) => {
    if (url.split('?')[0] === '/api/organizations') response.setHeader('Content-Type', 'application/json').end(JSON.stringify(page));
    else response.writeHead(404, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify(problem));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
