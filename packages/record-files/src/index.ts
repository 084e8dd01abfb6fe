export { type Column, columnsOf, unwrap } from './columns.ts';
export { type RecordWriter, recordWriter, type WriteOptions } from './write.ts';
