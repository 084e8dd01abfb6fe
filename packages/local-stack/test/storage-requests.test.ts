import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { ListObjectsV2Command, PutObjectCommand, type S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { connectTo, partSize, refused, useStorage } from './storage-fixture.ts';

const storage = useStorage();

interface SentRequest {
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
}

/** A client with this notices when a connection gets stuck. */
const oneConnection: S3ClientConfig = { requestHandler: { httpAgent: { maxSockets: 1 } } };

/** A client whose requests are changed after they were signed. */
const tampering = (change: (request: SentRequest) => void): S3Client => {
  const changed = connectTo(storage.server, oneConnection);
  changed.middlewareStack.add(
    (next) => (args) => {
      change(args.request as SentRequest);
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  return changed;
};

describe('signatures', () => {
  test('of a wrong secret, an unknown key or another time are 403', async () => {
    const wrong = connectTo({ ...storage.server, secretAccessKey: 'guess' });
    await expect(wrong.send(new ListObjectsV2Command({ Bucket: storage.Bucket }))).rejects.toMatchObject(
      refused('SignatureDoesNotMatch', 403),
    );
    const command = new PutObjectCommand({ Bucket: storage.Bucket, Key: 'x', Body: randomBytes(partSize) });
    await expect(wrong.send(command)).rejects.toMatchObject(refused('SignatureDoesNotMatch', 403));
    const unknown = connectTo({ ...storage.server, accessKeyId: 'nobody' });
    await expect(unknown.send(new ListObjectsV2Command({ Bucket: storage.Bucket }))).rejects.toMatchObject(
      refused('InvalidAccessKeyId', 403),
    );
    const late = connectTo(storage.server, { systemClockOffset: -16 * 60_000 });
    await expect(late.send(new ListObjectsV2Command({ Bucket: storage.Bucket }))).rejects.toMatchObject(
      refused('RequestTimeTooSkewed', 403),
    );
    expect(await storage.keys()).toEqual([]);
  });

  test('cover path, query, headers and body', async () => {
    const changes: [string, (request: SentRequest) => void][] = [
      ['SignatureDoesNotMatch', (request) => (request.path += 'x')],
      ['SignatureDoesNotMatch', (request) => (request.query['prefix'] = '')],
      ['SignatureDoesNotMatch', (request) => (request.headers['content-type'] = 'text/html')],
      ['AccessDenied', (request) => (request.headers['x-amz-meta-added'] = 'unsigned')],
      ['XAmzContentSHA256Mismatch', (request) => (request.body = 'changed')],
    ];
    for (const [code, change] of changes) {
      const command = new PutObjectCommand({ Bucket: storage.Bucket, Key: 'x', Body: 'content', ContentType: 'text/plain' });
      await expect(tampering(change).send(command)).rejects.toMatchObject({ name: code });
    }
    expect(await storage.keys()).toEqual([]);
  });

  test('are demanded', async () => {
    const answer = await fetch(`${storage.server.endpoint}/${storage.Bucket}/x`);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-type')).toBe('application/xml');
    expect(await answer.text()).toMatch(
      /^<\?xml .*<Error><Code>AccessDenied<\/Code><Message>.+<\/Message><Resource>\/test-.*\/x<\/Resource><\/Error>$/s,
    );
  });
});

describe('a streamed body', () => {
  const chunked = (...pieces: string[]) => tampering((request) => (request.body = Readable.from(pieces)));
  const send = (sender: S3Client) =>
    sender.send(
      new PutObjectCommand({ Bucket: storage.Bucket, Key: 'chunked', Body: Readable.from([Buffer.from('content')]), ContentLength: 7 }),
    );

  test('may come in any pieces', async () => {
    await send(chunked(...Array.from('4\r\ncont\r\n3\r\nent\r\n0\r\nx-amz-checksum-crc32:/sUwqQ==\r\n\r\n')));
    expect((await storage.read('chunked')).toString()).toBe('content');
  });

  test.each([
    ['of other content than its checksum says', 'BadDigest', '7\r\nCONTENT\r\n0\r\nx-amz-checksum-crc32:/sUwqQ==\r\n\r\n'],
    ['without the checksum that was announced', 'BadDigest', '7\r\ncontent\r\n0\r\n\r\n'],
    ['shorter than announced', 'IncompleteBody', '4\r\ncont\r\n0\r\nx-amz-checksum-crc32:50r44A==\r\n\r\n'],
    ['that ends within a chunk', 'IncompleteBody', '7\r\ncont'],
    ['without its end', 'IncompleteBody', '7\r\ncontent\r\n'],
    ['with more after its end', 'IncompleteBody', '7\r\ncontent\r\n0\r\nx-amz-checksum-crc32:/sUwqQ==\r\n\r\nmore'],
    ['in no chunks', 'IncompleteBody', 'content'.repeat(500_000)],
  ])('%s is refused, and the connection goes on', async (_, code, body) => {
    const before = await storage.filesOnDisk();
    const sender = chunked(body);
    await expect(send(sender)).rejects.toMatchObject({ name: code });
    await expect(send(sender)).rejects.toMatchObject({ name: code });
    expect(await storage.keys()).toEqual([]);
    await expect.poll(() => storage.filesOnDisk()).toEqual(before);
  });
});
