import { attachmentTypes, EntityType, ProblemError } from '@profile-service/contracts';
import { newId } from '@profile-service/db';
import type { Storage } from '@profile-service/storage';
import type { AttachmentFiles } from '../request/files.ts';
import { entityTagOf } from '../request/entity-tags.ts';
import { cleanFilename } from './file-names.ts';
import { requireSignature, requireType } from './file-types.ts';

/** Stores files under the keys `{basePath}/{entityType}/{uuid}.{ext}`. @param basePath without a slash at its begin and end */
export function createAttachmentFiles(storage: Storage, basePath: string): AttachmentFiles {
  const remove = (key: string) => storage.remove(key).catch(() => undefined);

  return {
    async receive({ filename, contentType, fields, content, signal }) {
      const type = requireType(contentType);
      const extension = attachmentTypes[type];
      const name = `${newId()}.${extension}`;
      const keyFor = (entityType: string) => `${basePath}/${entityType}/${name}`;
      // The field may follow the file in the form. In that case, `place` moves the file.
      let key = keyFor(EntityType.safeParse(fields['entityType']).data ?? 'DOCUMENT');
      let size = 0;
      let contentError: unknown;
      const counted = async function* () {
        try {
          for await (const chunk of requireSignature(content, type)) {
            size += chunk.length;
            yield chunk;
          }
        } catch (error) {
          contentError = error;
          throw error;
        }
      };
      await storage.put(key, counted(), type).catch(async (error: unknown) => {
        await remove(key);
        throw error === contentError ? error : new ProblemError('FailedToUploadFileError', { cause: error });
      });
      let kept = false;
      return {
        filename: cleanFilename(filename, `file.${extension}`),
        contentType: type,
        size,
        async place(entityType) {
          const target = keyFor(entityType);
          if (target === key) return key;
          const source = key;
          key = target;
          try {
            await storage.copy(source, target, { size, signal });
          } catch (error) {
            throw signal?.aborted ? signal.reason : new ProblemError('FailedToUploadFileError', { cause: error });
          } finally {
            await remove(source);
          }
          return key;
        },
        keep: () => (kept = true),
        discard: async () => (kept ? undefined : remove(key)),
      };
    },

    download: ({ version, filePath, originalFilename, contentType, size }) => ({
      filename: originalFilename,
      contentType,
      size,
      etag: entityTagOf(version),
      async open(range) {
        try {
          const expected = range ? range.end - range.start + 1 : size;
          const { content, size: actual } = await storage.open(filePath, range);
          if (actual === expected) return content;
          content.destroy();
          throw new Error(`The object ${filePath} has ${actual} bytes instead of ${expected}`);
        } catch (error) {
          throw new ProblemError('FailedToDownloadFileError', { cause: error });
        }
      },
    }),

    remove,
  };
}
