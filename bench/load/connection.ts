import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');
/** All connections share it: each processes what has arrived before the next one reads. A new buffer for each read would keep the garbage collector busy. */
const readBuffer = Buffer.allocUnsafe(65_536);

/**
 * A keep-alive HTTP/1.1 connection that sends one request at a time. It reads of a response only its status and its length, so that the load generator
 * costs little CPU.
 */
export class Connection {
  readonly #socket: Socket;
  #resolve: (status: number) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  /** The bytes of a head that is not complete. */
  #head: Buffer | undefined;
  #status = 0;
  /** Status line and headers of the last response. */
  #lastHead = '';
  #isOpen = true;
  /** Bytes of the body that are still missing: undefined before the head, NaN for a chunked body. */
  #missing: number | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('error', (error) => this.#reject(error));
    socket.on('close', () => {
      this.#isOpen = false;
      this.#reject(new Error('The server closed the connection'));
    });
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const read = (length: number) => {
        connection.#read(readBuffer.subarray(0, length));
        return true;
      };
      const socket = connect({ port, host: '127.0.0.1', onread: { buffer: readBuffer, callback: read } }, () => resolve(connection));
      const connection = new Connection(socket.once('error', reject));
    });
  }

  /** Whether the server has not closed it. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether the last response has the header. @param name in lower case */
  hasHeader(name: string): boolean {
    return this.#lastHead.toLowerCase().includes(`\r\n${name}: `);
  }

  /** Sends a complete request. Resolves with the status when the response has arrived. */
  send(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#reject = () => undefined;
    this.#socket.destroy();
  }

  #read(data: Buffer): void {
    if (this.#missing === undefined) {
      const received = this.#head ? Buffer.concat([this.#head, data]) : data;
      const end = received.indexOf(headEnd);
      if (end === -1) {
        this.#head = Buffer.from(received);
        return;
      }
      this.#head = undefined;
      const head = received.toString('latin1', 0, end);
      this.#lastHead = head;
      this.#status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      this.#missing = length === undefined ? (/\r\ntransfer-encoding: *chunked/i.test(head) ? Number.NaN : 0) : Number(length);
      this.#readBody(received.subarray(end + headEnd.length));
    } else this.#readBody(data);
  }

  #readBody(data: Buffer): void {
    if (Number.isNaN(this.#missing)) {
      // JSON contains no line breaks, so this ends only the last chunk. The chunk may arrive in parts, which one write of the server does not cause.
      if (!data.subarray(-lastChunk.length).equals(lastChunk)) return;
    } else {
      this.#missing = (this.#missing ?? 0) - data.length;
      if (this.#missing > 0) return;
    }
    this.#missing = undefined;
    this.#resolve(this.#status);
  }
}
