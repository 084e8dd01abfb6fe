import pg from 'pg';

/** Loaded into a process of the service: every step of its stop that closes a connection pool fails. Node's code for an unhandled rejection is 1 as well. */
pg.Pool.prototype.end = () => Promise.reject(new Error('The pool cannot be closed'));

process.on('unhandledRejection', () => process.exit(2));
