import { StorageError } from './errors.ts';
import { findObject, placeObject } from './objects.ts';
import { enter, requireBucket, type Operation } from './operation.ts';
import { decode, header } from './request.ts';
import { element, result } from './xml.ts';

/** CopyObject: the content and the headers of another object, which `x-amz-copy-source` names as `bucket/key`, percent-encoded. */
export const copyObject: Operation = async (request, store) => {
  requireBucket(request, store);
  const unserved = Object.keys(request.headers).find((name) => /^x-amz-(copy-source-|metadata-directive)/.test(name));
  if (unserved) throw new StorageError('NotImplemented', `${unserved} is not served here.`);
  const [, bucket = '', key = ''] = /^\/?([^/]+)\/(.+)$/s.exec(decode(header(request, 'x-amz-copy-source') ?? '')) ?? [];
  const source = findObject({ bucket, key }, store);
  const blob = await store.blobs.join([source.blob]);
  await enter(store, blob, () => placeObject(store, request, blob, blob.md5, JSON.parse(source.headers) as object));
  const modified = element('LastModified', new Date().toISOString());
  return { status: 200, body: result('CopyObjectResult', element('ETag', `"${blob.md5}"`), modified) };
};
