import { createServer } from 'node:http';

/** A worker of a cluster that only listens. */
process.once('message', () => createServer().listen(0, '127.0.0.1'));
