import { startProxy } from '../../../../test/proxy.ts';

export type StatementWatch = Awaited<ReturnType<typeof watchStatements>>;

/** A statement that was sent to run. The name is empty if it was not prepared under a name. */
interface Executed {
  name: string;
  text: string;
}

/**
 * Starts a TCP proxy that records the statements sent to PostgreSQL (protocol 3.0, without TLS).
 * @param application if set, only statements of connections with this application_name
 */
export async function watchStatements(connectionString: string, application?: string) {
  const executed: Executed[] = [];
  const watch = () => createReader(application, (statement) => executed.push(statement));
  const { url, stop } = await startProxy(connectionString, { watch });
  return {
    /** The proxied connection string. */
    url,
    /** Returns the texts of all statements since the last call, in order, including `begin` and `commit`. */
    take: () => executed.splice(0).map(({ text }) => text),
    /** As `take`, with the names of the statements. */
    takeNamed: () => executed.splice(0),
    stop,
  };
}

/** Reads the messages of one client. Parse names a text, Bind selects the text that runs, Query contains a text that runs. */
function createReader(application: string | undefined, onExecuted: (statement: Executed) => void): (data: Buffer) => void {
  const prepared = new Map<string, string>();
  let pending: Buffer = Buffer.alloc(0);
  let hasStarted = false;
  let isRecorded = true;
  return (data) => {
    pending = Buffer.concat([pending, data]);
    for (;;) {
      // The first message has no type.
      const at = hasStarted ? 1 : 0;
      if (pending.length < at + 4) return;
      const length = at + pending.readInt32BE(at);
      if (pending.length < length) return;
      const type = hasStarted ? String.fromCharCode(pending[0] ?? 0) : '';
      const [first = '', second = ''] = pending.toString('utf8', at + 4, length).split('\0', 2);
      if (type === 'P') prepared.set(first, second);
      if (!hasStarted && application) isRecorded = applicationOf(pending.toString('utf8', at + 8, length)) === application;
      if (type === 'B' && isRecorded) onExecuted({ name: second, text: prepared.get(second) ?? second });
      if (type === 'Q' && isRecorded) onExecuted({ name: '', text: first });
      hasStarted = true;
      pending = pending.subarray(length);
    }
  };
}

/** Reads application_name from the parameters of a start-up message: names and values in turn. */
function applicationOf(parameters: string): string | undefined {
  const fields = parameters.split('\0');
  return fields[fields.indexOf('application_name') + 1];
}
