import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Makes the server send `100 Continue` when the response to the request is next on its connection, unless that response is ready. Node would send it after
 * the head of a pipelined response whose body is a buffer, so it would become a part of that body. Unknown expectations are ignored, as RFC 9110 allows.
 */
export function handleExpectations(server: Server): void {
  const serve = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response);
  server.on('checkExpectation', serve);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const proceed = () => response.headersSent || response.writeContinue();
    if (response.socket) proceed();
    else response.once('socket', proceed);
    serve(request, response);
  });
}
