import texts from '../../../locales/inbox.en.json';
import { stateOf } from './items';

/** Kinds that only say what is so now, which the mark of a closed matter fits. */
const CALM = ['daily_digest', 'daily_digest_change', 'daily_digest_events', 'telegram_linked'];

test('every kind of notification that has a text has a mark of its own, or is a calm one', () => {
  const kinds = Object.keys(texts)
    .flatMap((key) => /^notification\.([a-z_]+?)(?:_(?:one|other))?$/.exec(key)?.[1] ?? [])
    .filter((kind) => stateOf(kind) === 'final');
  expect([...new Set(kinds)].filter((kind) => !CALM.includes(kind))).toEqual([]);
});
