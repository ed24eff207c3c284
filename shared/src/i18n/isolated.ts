import { directionOf } from './languages';

/** Digits join the words around them: `3/5` and `5 %` are one number. */
const PLAIN = /^[\d.,]*\d$|^$/;
/** Keeps a value apart from the Arabic around it: the dot of `miner71312.` stays at its end, and a date reads from the right. */
export const isolated = (language: string | undefined, value: string): string =>
  directionOf(language ?? '') === 'rtl' && !PLAIN.test(value) ? `\u2068${value}\u2069` : value;
