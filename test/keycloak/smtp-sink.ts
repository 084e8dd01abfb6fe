import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps every mail. */
export interface SmtpSink {
  /** The interface on which it listens. */
  host: string;
  port: number;
  /** How it treats mails: keeps them, rejects each recipient, or accepts connections and never responds. */
  mode: 'accept' | 'reject' | 'hang';
  /** The recipients that it has rejected. */
  readonly rejected: string[];
  /** The mails to an address, oldest first. */
  mailsTo(email: string): Promise<Email[]>;
  /** Closes its port and all connections. */
  stop(): Promise<void>;
}

/** Starts a mail server. @param host the interface on which it listens  @param port default: a free one */
export async function startSmtpSink(host = '127.0.0.1', port = 0): Promise<SmtpSink> {
  const received: Promise<Email>[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onConnect: (_session, done) => (sink.mode === 'hang' ? undefined : done()),
    onRcptTo({ address }, _session, done) {
      if (sink.mode !== 'reject') return done();
      sink.rejected.push(address);
      done(new Error('550 mailbox unavailable'));
    },
    onData(stream, _session, done) {
      const keep = (mail: Buffer) => {
        received.push(PostalMime.parse(mail));
        done();
      };
      // A client that disconnects in the middle has sent no mail.
      buffer(stream).then(keep, () => undefined);
    },
  });
  // Clients that disconnect are no errors of the test.
  server.on('error', () => undefined);
  await once(server.listen(port, host), 'listening');
  const sink: SmtpSink = {
    host,
    port: (server.server.address() as AddressInfo).port,
    mode: 'accept',
    rejected: [],
    mailsTo: async (email) => (await Promise.all(received)).filter(({ to }) => to?.some(({ address }) => address === email)),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return sink;
}

/** Returns the first link in the text of a mail. */
export function linkIn({ text = '' }: Email): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0];
  if (!link) throw new Error(`No link in the mail: ${text}`);
  return link;
}
