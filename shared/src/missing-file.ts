/** Whether `error` is the bundler's of a script or a stylesheet that did not come: another try may help, drawing again does not. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'ChunkLoadError' || ('code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED'));
