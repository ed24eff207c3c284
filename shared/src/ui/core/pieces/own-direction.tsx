import type { ReactNode } from 'react';

/** A text by itself reads in the direction of its letters: within Arabic the dot of `miner71312.` stays at its end. */
export const ownDirection = (content: ReactNode): ReactNode =>
  typeof content === 'string' ? <bdi>{content}</bdi> : content;
