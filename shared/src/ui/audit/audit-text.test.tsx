import { renderPage } from '../../testing';
import type { AuditEntry } from '../../api/schemas';
import { useAuditText } from '.';

const entry = (action: string, subject: string | null, before: unknown, after: unknown): AuditEntry => ({
  id: 1,
  at: '2026-11-02T03:04:05.000Z',
  userName: 'root',
  action,
  subject,
  before,
  after,
  ip: null,
});
function Line({ row }: { row: AuditEntry }) {
  const words = useAuditText();
  return <p>{`${words.action(row.action)} | ${words.subject(row)} | ${words.change(row)}`}</p>;
}
/** Text with usual spaces in place of those that do not break. */
const plain = ({ textContent }: HTMLElement) => textContent.replace(/[\u00a0\u202f]/g, ' ');

test.each([
  [
    entry(
      'user.update',
      'alice',
      { role: 'miner', feePercent: null, disabled: false, isLegacyUser: false },
      { role: 'admin', feePercent: 1.5, disabled: true, isLegacyUser: false },
    ),
    'User changed | alice | Role: Miner → Administrator; Pool fee: 1.50 %; Disabled: No → Yes',
  ],
  [
    entry(
      'sub_account.update',
      'barn',
      { thresholdSat: 5_000_000, ports: {} },
      { thresholdSat: 100_000, ports: { SCRYPT: 3344 } },
    ),
    'Sub-account changed | barn | Payout threshold: 0.05000000 BTC → 0.00100000 BTC; Ports: SCRYPT 3344',
  ],
  [
    entry('price.change', 'SHA256_ASICBOOST/2026-11-21', null, {
      priceBtc: 0.00049,
      btcPriceUsd: 97_000,
      source: 'manual',
    }),
    'Price set | SHA256 · 21 Nov 2026 | Price: 0.00049 BTC; Bitcoin price: $97,000; Source: Manual',
  ],
  [
    entry('terms.change', 'pool_fee', { since: null, value: 1.5 }, { since: '2026-11-22', value: 2 }),
    'Terms changed | Pool fee | Value: 1.50 % → 2.00 %; Valid from: 22 Nov 2026',
  ],
  [
    entry(
      'wallet.change',
      'barn',
      { btcAddress: 'bc1qa' },
      { btcAddress: 'bc1qb', holdUntil: '2026-11-05T03:04:05.000Z' },
    ),
    /^Address changed \| barn \| Address: bc1qa → bc1qb; On hold until: 5 Nov 2026, 03:04/,
  ],
  [
    entry(
      'pool_list.reorder',
      'barn',
      { list: [{ id: 1, poolConfigId: 9, name: 'north', enabled: true }] },
      { list: [] },
    ),
    'Order of upstream pools changed | barn | List: Name north, On Yes → —',
  ],
  [
    entry('something.new', null, null, { fieldOfLater: 'kept', nested: { role: 'admin' } }),
    'something.new | — | fieldOfLater: kept; nested: Role Administrator',
  ],
  [
    entry(
      'worker.group',
      'farm',
      { workers: [{ group: 'Hall D', count: 400, names: ['rig-1', 'rig-2', 'rig-3'] }] },
      { groupName: 'Hall E' },
    ),
    'Workers moved to a group | farm | Workers: 400 workers (Hall D); Group: Hall E',
  ],
  [
    entry('worker.mute', 'farm', { workers: [{ group: null, count: 2, names: ['rig-1', 'rig-2'] }] }, {}),
    'Worker alerts muted | farm | Workers: rig-1, rig-2',
  ],
  [entry('token.create', '10', null, { name: 'Barn' }), /\| Barn · 10 \|/],
  [entry('worker_group.create', 'Hall E', null, { id: 7, subAccountId: 9 }), 'Worker group created | Hall E | —'],
  [entry('user.close', 'alice', null, null), 'Account deleted | alice | —'],
] as const)('amounts, prices and days have their units: %#', async (row, text) => {
  const { container } = await renderPage(<Line row={row} />, { path: '/' });
  expect(plain(container)).toMatch(text);
});
