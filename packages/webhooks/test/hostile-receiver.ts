import { createServer, type RequestListener, type Server } from 'node:http';

const forever = (write: () => void): void => {
  const timer = setInterval(write, 5);
  timer.unref();
};

/** Receivers by path. Each of them does something that a client must survive. */
const receivers: Record<string, RequestListener> = {
  '/good': (request, response) => void request.resume().on('end', () => response.end('ok')),
  '/silent': () => {},
  '/slow-headers': (_request, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\nx: ');
    forever(() => socket?.write('x'));
  },
  '/slow-body': (_request, response) => forever(() => response.write('x')),
  '/early-hints': (_request, { socket }) => forever(() => socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n')),
  '/endless': (_request, response) => forever(() => response.write('é'.repeat(100_000))),
  '/reset': (request) => void request.socket.resetAndDestroy(),
  '/reset-in-body': (request, response) => {
    response.write('partial');
    request.on('end', () => setImmediate(() => request.socket.resetAndDestroy())).resume();
  },
  '/short': (_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('x');
    response.socket?.end();
  },
  '/gone': (_request, response) => void response.writeHead(410).end('gone'),
  '/broken': (_request, response) => void response.writeHead(500, { 'retry-after': '7' }).end('broken'),
  '/limited': (_request, response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
  '/limited-forever': (_request, response) => void response.writeHead(503, { 'retry-after': '999999' }).end(),
  '/abort': (_request, response) => void response.writeHead(400, { 'webhook-delivery': 'Abort-Message' }).end(),
  '/huge-headers': (_request, response) => void response.writeHead(200, { x: 'x'.repeat(20_000) }).end(),
  '/not-http': (_request, { socket }) => void socket?.end('220 mail.example ESMTP\r\n'),
  '/upgrade': (_request, { socket }) => void socket?.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  '/binary': (_request, response) => void response.end(Buffer.of(0x61, 0, 0xff, 0x62)),
  '/emoji': (_request, response) => void response.end('😀'.repeat(2000)),
};

/** Creates a server with a receiver for each of these paths. */
export const createHostileReceiver = (): Server =>
  createServer((request, response) => receivers[new URL(request.url ?? '', 'http://receiver').pathname]?.(request, response));
