const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
/** Pattern for `like` and `ilike` that matches values containing `text`, with `%` and `_` taken literally. */
export const containsPattern = (text: string): string => `%${literal(text)}%`;
/** Matches values that start with `text`. */
export const prefixPattern = (text: string): string => `${literal(text)}%`;
