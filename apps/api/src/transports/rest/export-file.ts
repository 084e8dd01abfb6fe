import { create as contentDisposition } from 'content-disposition';
import type { Response } from 'express';
import type { FileHead, FileSink } from '../../request/files.ts';
import { drained } from '../http/drained.ts';
import { setHeaders, setRateLimitHeaders } from '../http/send.ts';

/** Sends the head of a file that is made while it is sent. */
export function openFile(response: Response, { filename, contentType }: FileHead): FileSink {
  setRateLimitHeaders(response);
  setHeaders(response, { 'content-type': contentType, 'content-disposition': contentDisposition(filename) });
  response.writeHead(200);
  return {
    async send(text, waitMs) {
      if (response.write(text)) return;
      if (!(await drained(response, Math.max(waitMs, 0)))) throw new Error('The client has not read the file in time, or has disconnected');
    },
    end: () => void response.end(),
  };
}
