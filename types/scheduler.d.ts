/** The scheduler of React, whose own types leave this out. */
declare module 'scheduler' {
  /** Sets the length of a slice of work: 1 s by `framesPerSecond`. */
  export function unstable_forceFrameRate(framesPerSecond: number): void;
}
