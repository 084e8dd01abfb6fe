import { once } from 'node:events';
import { eventually } from '../../test/eventually.ts';

const timeoutMs = 10_000;

/** The inspector of a Node process. */
export interface Inspector {
  /** Resolves when the process has freed what it no longer needs. */
  collectGarbage(): Promise<void>;
  close(): void;
}

/** Starts the inspector of a process, and connects to it. @param port `--inspect-port` of the process */
export async function openInspector(pid: number, port: number): Promise<Inspector> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await addressOf(port));
  await once(socket, 'open', { signal: AbortSignal.timeout(timeoutMs) });
  return {
    async collectGarbage() {
      const answered = once(socket, 'message', { signal: AbortSignal.timeout(timeoutMs) });
      socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
      const [{ data }] = (await answered) as [{ data: string }];
      if (data !== '{"id":1,"result":{}}') throw new Error(`The inspector did not collect the garbage: ${data}`);
    },
    close: () => socket.close(),
  };
}

/** The address of the inspector, which listens a moment after the signal. */
const addressOf = (port: number): Promise<string> =>
  eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${port}/json`);
    const [target] = (await response.json()) as [{ webSocketDebuggerUrl: string }];
    return target.webSocketDebuggerUrl;
  });
