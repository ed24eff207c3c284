/**
 * Events a Telegram chat can subscribe to: workers offline, back online, low, with many rejects; whole accounts below
 * their limit; payments; payout addresses; upstream switches; sign-ins from new browsers; the daily digest.
 */
export const TELEGRAM_EVENTS = [
  'offline',
  'recovered',
  'low',
  'rejects',
  'account',
  'payment',
  'wallet',
  'upstream',
  'sign_in',
  'digest',
] as const;

/** What one click turns on: a machine stops, and it is back. */
export const STOPPED: readonly (typeof TELEGRAM_EVENTS)[number][] = ['offline', 'recovered'];
