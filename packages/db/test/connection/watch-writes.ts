import type { Database } from '../../src/index.ts';

/**
 * Records what new connections write to PostgreSQL. The returned function takes the writes since its last call, each as the types of its messages:
 * C(lose), P(arse), B(ind), D(escribe), E(xecute), S(ync), Q(uery). The stream writes what it has collected when it is uncorked.
 */
export function watchWrites({ pool }: Database): () => string[] {
  let writes: string[] = [];
  pool.on('connect', ({ connection: { stream } }) => {
    let collected = '';
    const flush = () => {
      if (stream.writableCorked > 0 || collected === '') return;
      writes.push(collected);
      collected = '';
    };
    const [write, uncork] = [stream.write.bind(stream), stream.uncork.bind(stream)];
    stream.write = ((data: Buffer, ...rest: never[]) => {
      collected += typesOf(data);
      flush();
      return write(data, ...rest);
    }) as typeof stream.write;
    stream.uncork = () => {
      uncork();
      flush();
    };
  });
  return () => {
    const taken = writes;
    writes = [];
    return taken;
  };
}

/** Each message has one byte for its type and four for the length of the rest. */
function typesOf(data: Buffer): string {
  let types = '';
  for (let at = 0; at < data.length; at += 1 + data.readInt32BE(at + 1)) types += String.fromCharCode(data[at] as number);
  return types;
}
