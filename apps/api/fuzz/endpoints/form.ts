import fc from 'fast-check';
import { maxFileBytes } from '../world/world.ts';
import { naughtyStrings } from './naughty-strings.ts';

const boundary = 'fuzz-boundary';

const beginnings: Readonly<Record<string, Buffer>> = {
  'image/jpeg': Buffer.from('ffd8ffdb', 'hex'),
  'image/jpg': Buffer.from('ffd8ffe0', 'hex'),
  'image/png': Buffer.from('89504e470d0a1a0a', 'hex'),
  'image/webp': Buffer.from('RIFF\x08\x00\x00\x00WEBPVP8 ', 'latin1'),
  'application/pdf': Buffer.from('%PDF-1.7\n'),
};

interface File {
  part: string;
  name: string;
  type: string;
  content: Buffer;
}

const file: fc.Arbitrary<File> = fc
  .record({
    type: fc.constantFrom(...Object.keys(beginnings)),
    name: fc.string({ unit: 'grapheme' }),
    rest: fc.uint8Array({ maxLength: 100 }),
  })
  .map(({ type, name, rest }) => ({ part: 'file', name, type, content: Buffer.concat([beginnings[type] ?? Buffer.of(), rest]) }));

const invalidFile: fc.Arbitrary<File> = fc.oneof(
  file.map((each) => ({ ...each, type: 'text/html' })),
  file.map((each) => ({ ...each, part: 'document' })),
  file.map((each) => ({ ...each, content: Buffer.of() })),
  file.map((each) => ({ ...each, content: Buffer.concat([each.content, Buffer.alloc(maxFileBytes)]) })),
  fc.tuple(file, fc.constantFrom(...naughtyStrings)).map(([each, name]) => ({ ...each, name })),
  fc.tuple(file, fc.uint8Array({ maxLength: 30 })).map(([each, bytes]) => ({ ...each, content: Buffer.from(bytes) })),
);

/** Forms with these fields and a file. Some have several files, wrong files, or are malformed. */
export function forms(fields: Record<string, unknown>): fc.Arbitrary<{ type: string; bytes: Buffer }> {
  const right = file.map((each) => formOf(fields, [each]));
  const wrong = fc.array(fc.oneof(file, invalidFile), { maxLength: 2 }).map((files) => formOf(fields, files));
  const broken = fc.tuple(right, fc.nat()).map(([bytes, at]) => bytes.subarray(0, at % bytes.length));
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ type: fc.constant(formType), bytes: right }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant(formType), bytes: wrong }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constantFrom(formType, 'multipart/form-data', 'multipart/mixed; boundary=x'), bytes: broken }),
    },
  );
}

const formType = `multipart/form-data; boundary=${boundary}`;

function formOf(fields: Record<string, unknown>, files: readonly File[]): Buffer {
  const head = (rest: string): string => `--${boundary}\r\ncontent-disposition: form-data; ${rest}\r\n\r\n`;
  const texts = Object.entries(fields ?? {}).map(
    ([name, value]) => head(`name="${escaped(name)}"`) + (typeof value === 'string' ? value : JSON.stringify(value)),
  );
  const pieces = files.flatMap(({ part, name, type, content }) => [
    head(`name="${part}"; filename="${escaped(name)}"\r\ncontent-type: ${type}`),
    content,
    '\r\n',
  ]);
  return Buffer.concat([...texts.map((text) => `${text}\r\n`), ...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
}

/** Escapes names as browsers do (HTML, multipart/form-data). */
const escaped = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
