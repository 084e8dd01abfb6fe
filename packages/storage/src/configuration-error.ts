/** The settings of the storage, the key or the bucket are wrong. The message is a sentence for the operator: what is wrong and what to do, without secrets. */
export class StorageConfigurationError extends Error {
  override readonly name = 'StorageConfigurationError';
}
