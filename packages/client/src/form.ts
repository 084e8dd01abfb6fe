import type { UploadFields, UploadSource } from './files.ts';
import { chunksOf } from './stream.ts';

/** An upload with all that its form needs. */
export interface Form {
  file: UploadSource;
  filename: string;
  contentType: string;
  /** Fields as text; those that are absent or null stay out. */
  fields: [name: string, value: string][];
}

const typesByExtension: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  pdf: 'application/pdf',
};

export function formOf(file: UploadSource, { filename = nameOf(file), contentType, ...fields }: UploadFields): Form {
  const given = file instanceof Blob ? file.type : '';
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return {
    file,
    filename,
    contentType: contentType ?? (given || (typesByExtension[extension] ?? 'application/octet-stream')),
    fields: Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  };
}

function nameOf(file: UploadSource): string {
  if (file instanceof Blob) return 'name' in file && typeof file.name === 'string' ? file.name : 'file';
  const path = typeof file.path === 'string' ? file.path : new TextDecoder().decode(file.path);
  return path.split(/[\\/]/).at(-1) || 'file';
}

/** The form as platforms send it. */
export function formData({ file, filename, contentType, fields }: Form & { file: Blob }): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  data.append('file', file.slice(0, file.size, contentType), filename);
  return data;
}

export interface Multipart {
  contentType: string;
  chunks: AsyncIterable<Uint8Array>;
  /** In bytes; absent where the file is a stream. */
  total: number | undefined;
}

/** The form as it travels (RFC 7578), for what FormData does not take or does not tell. */
export function multipart({ file, filename, contentType, fields }: Form): Multipart {
  const boundary = `profile-${crypto.randomUUID()}`;
  const head = (name: string, more = '') => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const parts = fields.map(([name, value]) => `${head(name)}${value}\r\n`).join('');
  const before = bytesOf(parts + head('file', `; filename="${escaped(filename)}"\r\ncontent-type: ${contentType}`));
  const after = bytesOf(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    total: file instanceof Blob ? before.length + file.size + after.length : undefined,
    chunks: (async function* () {
      yield before;
      yield* file instanceof Blob ? chunksOf(file.stream()) : file;
      yield after;
    })(),
  };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** As the standard of HTML forms has it. */
const escaped = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
