import type { UploadFields, UploadSource } from './files.ts';
import { readChunks } from './stream.ts';

/** The parts of an upload form. */
export interface Form {
  file: UploadSource;
  filename: string;
  contentType: string;
  /** Text fields. Fields that are absent or null are left out. */
  fields: [name: string, value: string][];
}

const typesByExtension: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  pdf: 'application/pdf',
};

/** Builds the form of an upload. File name and content type default to those of the source. */
export function toForm(file: UploadSource, { filename = defaultFilename(file), contentType, ...fields }: UploadFields): Form {
  const blobType = file instanceof Blob ? file.type : '';
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return {
    file,
    filename,
    contentType: contentType ?? (blobType || (typesByExtension[extension] ?? 'application/octet-stream')),
    fields: Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  };
}

function defaultFilename(file: UploadSource): string {
  if (file instanceof Blob) return 'name' in file && typeof file.name === 'string' ? file.name : 'file';
  const path = typeof file.path === 'string' ? file.path : new TextDecoder().decode(file.path);
  return path.split(/[\\/]/).at(-1) || 'file';
}

/** Converts the form of a Blob to FormData, which the platform encodes. */
export function toFormData({ file, filename, contentType, fields }: Form & { file: Blob }): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  data.append('file', file.slice(0, file.size, contentType), filename);
  return data;
}

export interface Multipart {
  contentType: string;
  chunks: AsyncIterable<Uint8Array>;
  /** Length in bytes. Undefined if the file is a stream. */
  total: number | undefined;
}

/** Encodes the form as multipart/form-data (RFC 7578). Unlike FormData, it accepts streams and its progress can be reported. */
export function toMultipart({ file, filename, contentType, fields }: Form): Multipart {
  const boundary = `profile-${crypto.randomUUID()}`;
  const partHead = (name: string, parameters = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${parameters}\r\n\r\n`;
  const parts = fields.map(([name, value]) => `${partHead(name)}${value}\r\n`).join('');
  const before = encode(parts + partHead('file', `; filename="${escapeFilename(filename)}"\r\ncontent-type: ${contentType}`));
  const after = encode(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    total: file instanceof Blob ? before.length + file.size + after.length : undefined,
    chunks: (async function* () {
      yield before;
      yield* file instanceof Blob ? readChunks(file.stream()) : file;
      yield after;
    })(),
  };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Escapes a file name as the HTML standard defines for multipart/form-data. */
const escapeFilename = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
