/** Pattern for `like` and `ilike` that matches values containing `text`, with `%` and `_` taken literally. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
