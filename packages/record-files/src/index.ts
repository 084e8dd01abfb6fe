export { type Column, columnsOf, unwrap } from './columns.ts';
export { escapeOnce } from './formulas.ts';
export { InvalidFileError } from './invalid-file.ts';
export { checkFileHead, openRecordFile, type RecordFile } from './read.ts';
export type { ReadOptions } from './read-options.ts';
export { type CellError, type FileRow } from './records.ts';
export { cellsOf, csvLines, type RecordWriter, recordWriter, templateOf, type WriteOptions } from './write.ts';
