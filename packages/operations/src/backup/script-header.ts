import { Transform } from 'node:stream';

/** The header of a script of pg_restore is shorter, in bytes. */
const headerBytes = 8_192;

/**
 * Removes a line from the header of a script: from version 17 on, pg_restore sets `transaction_timeout`, which older servers do not know. The rest passes
 * unchanged.
 */
export function withoutTransactionTimeout(): Transform {
  let header: Buffer | undefined = Buffer.alloc(0);
  const flush = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace(/^SET transaction_timeout = 0;\n/m, ''), 'latin1');
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!header) return done(null, chunk);
      header = Buffer.concat([header, chunk]);
      if (header.length < headerBytes) return done();
      const first = flush(header);
      header = undefined;
      return done(null, first);
    },
    flush: (done) => done(null, header && flush(header)),
  });
}
