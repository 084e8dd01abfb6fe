import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Response } from 'express';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Download } from '../../src/request/files.ts';
import { createConcurrencyLimits } from '../../src/request/limits/concurrency-limits.ts';
import { endAfterRequest } from '../../src/transports/http/lingering-close.ts';
import { sendFile } from '../../src/transports/rest/download.ts';
import { pipeForm } from '../../src/transports/rest/pipe-form.ts';

/** The time limits of clients that are not settings. security/slow-clients.test.ts tests the others. */
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const nothing = () => undefined;

/** A request whose body is still arriving. */
function startRequest() {
  const request = Object.assign(new PassThrough(), { headers: {}, socket: { destroy: vi.fn<() => void>() } });
  return request as typeof request & IncomingMessage;
}

function startUpload() {
  const request = startRequest();
  const parser = new PassThrough().on('error', nothing);
  pipeForm(request, parser, 10_000);
  return { parser, sendByte: () => request.emit('data', Buffer.from('x')) };
}

test('an upload fails after a pause of 60 seconds, and after 30 minutes', () => {
  const paused = startUpload();
  vi.advanceTimersByTime(59_999);
  expect(paused.parser.errored).toBeNull();
  vi.advanceTimersByTime(1);
  expect(paused.parser.errored).toMatchObject({ code: 'VALIDATION_FAILED', message: 'No byte of the body arrived for 60 seconds' });

  const slow = startUpload();
  for (let second = 1; second < 30 * 60; second += 1) {
    slow.sendByte();
    vi.advanceTimersByTime(1_000);
  }
  expect(slow.parser.errored).toBeNull();
  vi.advanceTimersByTime(1_000);
  expect(slow.parser.errored).toMatchObject({ code: 'VALIDATION_FAILED', message: 'The body did not arrive within 30 minutes' });
});

test('a download is aborted after 30 minutes', async () => {
  const timeout = new AbortController();
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const state = { req: { headers: {}, method: 'GET' }, locals: { context: {} }, setHeader: nothing, writeHead: nothing };
  const response = Object.assign(new PassThrough(), state);
  const content = new PassThrough();
  const file: Download = { filename: 'a.pdf', contentType: 'application/pdf', size: 1, etag: '"1"', open: async () => content };
  const sending = sendFile(response as unknown as Response, file);
  await vi.waitFor(() => expect(limit).toHaveBeenCalledWith(30 * 60_000));
  timeout.abort();
  await sending;
  expect([content.destroyed, response.destroyed]).toEqual([true, true]);
});

test('after an early response, the rest of the request may take 10 seconds', () => {
  const request = startRequest();
  const response = { flushHeaders: nothing, end: nothing };
  endAfterRequest(request, response as unknown as ServerResponse, '');
  vi.advanceTimersByTime(9_999);
  expect(request.socket.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(request.socket.destroy).toHaveBeenCalledOnce();
});

test('the clients of a tenant may have 64 MiB of unread JSON responses, each for 2 minutes', () => {
  const settings = {
    DATABASE_POOL_MAX: 2,
    REQUEST_QUEUE_MAX: 0,
    REQUEST_QUEUE_DELAY_MS: 1,
    DATABASE_POOL_TIMEOUT_SECONDS: 1,
    EXPORTS_AT_ONCE: 2,
    UPLOADS_AT_ONCE_PER_TENANT: 1,
    DOWNLOADS_AT_ONCE_PER_TENANT: 1,
  };
  const { outboundBuffer } = createConcurrencyLimits({ settings, onRejected: nothing, onOverloaded: nothing, onWaited: nothing });
  const req = startRequest();
  const respond = (bytes: number) =>
    outboundBuffer.track(Object.assign(new PassThrough(), { req }) as unknown as ServerResponse, bytes, 'tenant');
  respond(64 * 1024 ** 2);
  outboundBuffer.assertBelowLimit('tenant');
  respond(1);
  expect(() => outboundBuffer.assertBelowLimit('tenant')).toThrow('the limit is 67108864');
  vi.advanceTimersByTime(119_999);
  expect(req.socket.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(req.socket.destroy).toHaveBeenCalled();
});
