import type { useFormat } from '@pool/shared/ui/core';

const STEADY = 0.005;

/** A change as a part of what was before: its word, and its size in whole percents. */
export const changeIn = (part: number, percent: ReturnType<typeof useFormat>['percent']) => ({
  word: Math.abs(part) < STEADY ? 'steady' : part < 0 ? 'below' : 'above',
  change: percent(Math.round(Math.abs(part) * 100) / 100, 0),
});
