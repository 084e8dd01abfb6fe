import { attachmentTypes, EntityType, ProblemError } from '@profile-service/contracts';
import { newId } from '@profile-service/db';
import type { AttachmentFiles } from '../handler/files.ts';
import type { Storage } from '../integrations/storage/storage.ts';
import { cleanFilename } from './file-names.ts';
import { requireBeginning, requireType } from './file-types.ts';

/** Keeps the files of attachments under `{basePath}/{entityType}/{uuid}.{ext}`. @param basePath without slashes around it */
export function createAttachmentFiles(storage: Storage, basePath: string): AttachmentFiles {
  const remove = (key: string) => storage.remove(key).catch(() => undefined);

  return {
    async receive({ filename, contentType, fields, content }) {
      const type = requireType(contentType);
      const extension = attachmentTypes[type];
      const name = `${newId()}.${extension}`;
      const keyFor = (entityType: string) => `${basePath}/${entityType}/${name}`;
      // The field may still follow the file: then the file moves.
      let key = keyFor(EntityType.safeParse(fields['entityType']).data ?? 'DOCUMENT');
      let size = 0;
      const counted = async function* () {
        for await (const chunk of requireBeginning(content, type)) {
          size += chunk.length;
          yield chunk;
        }
      };
      await storage.put(key, counted(), type).catch(async (error: unknown) => {
        await remove(key);
        throw error instanceof ProblemError ? error : new ProblemError('FailedToUploadFileError', { cause: error });
      });
      let kept = false;
      return {
        filename: cleanFilename(filename, `file.${extension}`),
        contentType: type,
        size,
        async place(entityType) {
          const place = keyFor(entityType);
          if (place === key) return key;
          const staged = key;
          key = place;
          try {
            await storage.copy(staged, place);
          } catch (error) {
            throw new ProblemError('FailedToUploadFileError', { cause: error });
          } finally {
            await remove(staged);
          }
          return key;
        },
        keep: () => (kept = true),
        discard: async () => (kept ? undefined : remove(key)),
      };
    },

    download: ({ id, filePath, originalFilename, contentType, size }) => ({
      filename: originalFilename,
      contentType,
      size,
      // The file of an attachment is not replaced.
      etag: id,
      async open(range) {
        try {
          const expected = range ? range.end - range.start + 1 : size;
          const { content, size: given } = await storage.open(filePath, range);
          if (given === expected) return content;
          content.destroy();
          throw new Error(`The object ${filePath} has ${given} bytes where ${expected} were expected`);
        } catch (error) {
          throw new ProblemError('FailedToDownloadFileError', { cause: error });
        }
      },
    }),

    remove,
  };
}
