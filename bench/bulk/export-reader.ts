import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { respondWith } from '../load/generator.ts';

/** Reads one export after the other, for some seconds. */
export interface ReadExports {
  url: string;
  headers: Record<string, string>;
  seconds: number;
}

async function readExports({ url, headers, seconds }: ReadExports): Promise<object> {
  const signal = AbortSignal.timeout(seconds * 1000);
  const reading = async () => {
    for (;;) {
      const [response] = (await once(get(url, { headers, signal }), 'response')) as [IncomingMessage];
      if (response.statusCode !== 200) throw new Error(`The export has the status ${response.statusCode}`);
      await finished(response.resume());
    }
  };
  await reading().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {};
}

respondWith(readExports);
