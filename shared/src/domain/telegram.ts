/** Events a Telegram chat can subscribe to. */
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
