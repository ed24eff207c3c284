/**
 * Events a Telegram chat can subscribe to: workers offline, back online, low, with many rejects; payments; payout
 * addresses; upstream switches; the daily digest.
 */
export const TELEGRAM_EVENTS = [
  'offline',
  'recovered',
  'low',
  'rejects',
  'payment',
  'wallet',
  'upstream',
  'digest',
] as const;
