import { Agent } from 'undici';
import { type ConnectorOptions, createConnector } from './connector.ts';

/** Creates what keeps the connections to receivers. */
export const createAgent = (options: ConnectorOptions): Agent =>
  new Agent({
    connect: createConnector(options),
    // Receivers close idle connections after 5 seconds (Express, uvicorn) or later. A request must not meet a connection that is being closed.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 30_000,
    // A connection that is always in use would never follow a change of the receiver's addresses.
    clientTtl: 60_000,
    maxHeaderSize: 16 * 1024,
    // `sendRequest` limits the whole attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
