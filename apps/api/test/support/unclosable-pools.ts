import pg from 'pg';

/** Loaded into a process of the service: every step of its stop that closes a connection pool fails. */
pg.Pool.prototype.end = () => Promise.reject(new Error('The pool cannot be closed'));
