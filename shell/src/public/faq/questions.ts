/** The questions by group, in their order; texts: `faq.q.<id>` and `faq.a.<id>`. Ids are in addresses: keep them. */
export const QUESTIONS = {
  start: ['connect', 'algorithms', 'ports', 'tls', 'password', 'subaccounts', 'first', 'upstreams'],
  payouts: ['method', 'when', 'threshold', 'notPaid', 'fee', 'today', 'adjusted', 'price', 'export'],
  hashrate: ['jumps', 'differs', 'states', 'stale', 'gap', 'failover', 'alerts'],
  security: ['address', 'hold', 'again', 'watcher', 'api', 'stolen', 'delete'],
  referral: ['referral', 'friend', 'activate', 'referralPaid'],
} as const;
export type Group = keyof typeof QUESTIONS;

export type Question = { id: string; question: string; answer: string };

/** Compares without case and accents, so that `reference` finds `référence`. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether every word of `search` is in the question or its answer. */
export function matches({ question, answer }: Question, search: string): boolean {
  const text = plain(`${question} ${answer}`);
  return plain(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
