/** What happened to an account: the list, and what marks on a chart are made of. The list suspends until it is loaded. */
import { lazyPart } from '../../react/lazy-part';
import type { TimelineListProps, TimelineProps } from './timeline';

export type { TimelineEntry } from '../../api/timeline-schemas';
export { TimelineGlyph } from './glyph';
export { showLine } from './line';
export { useTimeline } from './use-timeline';
export { useTimelineMoney, useTimelineWords } from './words';

const TEXTS = ['timeline', 'events'];
const timeline = () => import(/* webpackChunkName: "timeline" */ './timeline');
/** The list with a filter by kind, in a panel. */
export const Timeline = lazyPart<TimelineProps>(TEXTS, async () => (await timeline()).Timeline, null);
/** The list alone. */
export const TimelineList = lazyPart<TimelineListProps>(TEXTS, async () => (await timeline()).TimelineList, null);
