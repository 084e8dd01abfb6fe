import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Response } from 'express';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Download } from '../../src/request/files.ts';
import { endAfterRequest } from '../../src/transports/http/lingering-close.ts';
import { sendFile } from '../../src/transports/rest/download.ts';
import { pipeForm } from '../../src/transports/rest/pipe-form.ts';

/** The time limits of clients that are no settings. security/slow-clients.test.ts tests the others. */
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
