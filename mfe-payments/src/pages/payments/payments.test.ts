import { csvTable, toCsv } from '@pool/shared/ui/core';
import type { Earning, Payment } from '@pool/shared';
import { earning, payout } from '../../testing/answers';
import { closedSums, daysOf, linesOf, sumOf } from './earnings/ledger';
import { courseOf } from './payouts/course';
import { presetDays, rangeOf } from './range/range';
import { CSV, taxCsv } from './range/csv';

describe('the ledger', () => {
  const ROWS = [
    earning({ algorithm: 'SCRYPT', netSat: 369_357 }),
    earning(),
    earning({ day: '2026-11-19', status: 'final' }),
    earning({ day: '2026-11-18', status: 'final' }),
    earning({ day: '2026-11-18', status: 'adjusted', algorithm: 'SCRYPT', netSat: -50 }),
  ];

  test('one line per day with the sums of its parts, and what is not final about it', () => {
    const days = daysOf(ROWS, true);
    expect(days.map(({ day, netSat, status }) => [day, netSat, status])).toEqual([
      ['2026-11-20', 1_400_355, 'estimated'],
      ['2026-11-19', 1_030_998, 'final'],
      ['2026-11-18', 1_030_948, 'adjusted'],
    ]);
    expect(days[0]?.parts.map(({ algorithm }) => algorithm)).toEqual(['SHA256_ASICBOOST', 'SCRYPT']);
    expect(sumOf(days)).toEqual(sumOf(ROWS));
    // A corrected day is closed too.
    expect(closedSums(ROWS)).toMatchObject({ days: 2, netSat: 2_061_946 });
  });

  test('a day that may go on on the next page waits for it', () => {
    expect(daysOf(ROWS, false).map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-19']);
  });

  test('an opened day is followed by its parts; one part is the day', () => {
    const lines = linesOf(daysOf(ROWS, true), new Set(['2026-11-20', '2026-11-19']));
    expect(lines.map(({ day, part }) => [day.day, part?.algorithm])).toEqual([
      ['2026-11-20', undefined],
      ['2026-11-20', 'SHA256_ASICBOOST'],
      ['2026-11-20', 'SCRYPT'],
      ['2026-11-19', 'SHA256_ASICBOOST'],
      ['2026-11-18', undefined],
    ]);
  });
});

describe('the course of a payout', () => {
  const CREATED = '2026-11-19T00:30:00.000Z';
  const SENT = '2026-11-19T06:12:00.000Z';
  const words = (facts: Parameters<typeof payout>[0]) =>
    courseOf(payout({ createdAt: CREATED, ...facts })).map(({ state, when, at }) => `${state} ${when} ${at ?? '-'}`);

  test('the usual way: what was has its time, what comes has none', () => {
    expect(words({ status: 'sent', sentAt: SENT })).toEqual([
      `pending past ${CREATED}`,
      'queued past -',
      `sent now ${SENT}`,
      'confirmed next -',
    ]);
  });

  test('failed after it was sent, failed before, cancelled: nothing comes after', () => {
    expect(words({ status: 'failed', sentAt: SENT })).toEqual([
      `pending past ${CREATED}`,
      'queued past -',
      `sent past ${SENT}`,
      'failed now -',
    ]);
    expect(words({ status: 'failed' })).toEqual([`pending past ${CREATED}`, 'queued past -', 'failed now -']);
    expect(words({ status: 'cancelled' })).toEqual([`pending past ${CREATED}`, 'cancelled now -']);
  });
});

describe('days', () => {
  const TODAY = '2026-11-20';

  test('each preset is whole UTC days', () => {
    expect(presetDays('days30', TODAY)).toEqual({ from: '2026-10-22', to: TODAY });
    expect(presetDays('month', TODAY)).toEqual({ from: '2026-11-01', to: TODAY });
    expect(presetDays('last-month', TODAY)).toEqual({ from: '2026-10-01', to: '2026-10-31' });
    expect(presetDays('last-month', '2026-01-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    expect(presetDays('last-month', '2028-03-05')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(presetDays('last-year', TODAY)).toEqual({ from: '2025-01-01', to: '2025-12-31' });
    expect(presetDays('all', TODAY)).toEqual({});
  });

  test('days of the URL, then its preset, else the default: 30 days for earnings, all time for payouts', () => {
    expect(rangeOf({}, 'earnings', TODAY)).toEqual({ preset: 'days30', from: '2026-10-22', to: TODAY });
    expect(rangeOf({}, 'payouts', TODAY)).toEqual({ preset: 'all' });
    expect(rangeOf({ range: 'month' }, 'payouts', TODAY)).toMatchObject({ preset: 'month', from: '2026-11-01' });
    const days = { from: '2026-02-01', to: '2026-02-10' };
    expect(rangeOf({ ...days, range: 'month' }, 'earnings', TODAY)).toEqual({ preset: null, ...days });
    expect(rangeOf({ from: days.to, to: days.from }, 'earnings', TODAY).preset).toBe('days30');
    expect(rangeOf({ from: days.from }, 'earnings', TODAY).preset).toBe('days30');
  });
});

describe('files', () => {
  const text = (csv: Parameters<typeof toCsv>) =>
    toCsv(...csv)
      .trimEnd()
      .split('\r\n');

  const earning: Earning = {
    day: '2026-11-19',
    account: 'northfield',
    algorithm: 'SHA256_ASICBOOST',
    meanHashrate: 21.28e15 + 0.0417,
    priceBtc: 0.00049,
    grossSat: 1_042_637,
    feeSat: 15_640,
    referralSat: 0,
    netSat: 1_026_997,
    btcPriceUsd: 96_810,
    status: 'final',
  };

  test('earnings: raw units and exact amounts', () => {
    expect(text(csvTable(CSV.earnings, [earning, { ...earning, netSat: -50, status: 'adjusted' }]))).toEqual([
      'day_utc,sub_account,algorithm,mean_hashrate_hs,price_btc,gross_btc,pool_fee_btc,referral_btc,net_btc,btc_price_usd,net_usd,status',
      '2026-11-19,northfield,SHA256_ASICBOOST,21280000000000000,0.00049,0.01042637,0.00015640,0.00000000,0.01026997,96810,994.24,final',
      '2026-11-19,northfield,SHA256_ASICBOOST,21280000000000000,0.00049,0.01042637,0.00015640,0.00000000,-0.00000050,96810,-0.05,adjusted',
    ]);
  });

  const payout: Payment = {
    id: 48131,
    account: 'northfield',
    subAccountId: 7,
    periodFrom: '2026-10-01',
    periodTo: '2026-11-18',
    amountSat: 5_474_000,
    networkFeeSat: 310,
    address: 'bc1qggn2',
    txid: 'f4184fc5',
    status: 'failed',
    reason: '=HYPERLINK("http://evil")',
    trigger: 'auto',
    createdAt: '2026-11-19T00:30:00.000Z',
    sentAt: '2026-11-19T00:31:00.000Z',
    confirmedAt: null,
    usdAtSend: 97_240,
  };

  test('payouts: UTC times, formulas are escaped, unknown values are empty', () => {
    const [header, row] = text(csvTable(CSV.payouts, [payout]));
    expect(header).toBe(
      'id,created_utc,sub_account,period_from_utc,period_to_utc,amount_btc,network_fee_btc,address,txid,status,reason,sent_utc,confirmed_utc,btc_price_usd_at_send',
    );
    expect(row).toBe(
      `48131,2026-11-19T00:30:00.000Z,northfield,2026-10-01,2026-11-18,0.05474000,0.00000310,bc1qggn2,f4184fc5,failed,"'=HYPERLINK(""http://evil"")",2026-11-19T00:31:00.000Z,,97240`,
    );
  });

  test('a year for the tax return: a row for each closed day and each payout, whole satoshis, oldest first', () => {
    const scrypt: Earning = { ...earning, algorithm: 'SCRYPT', grossSat: 10, feeSat: 1, netSat: 9 };
    const today: Earning = { ...earning, day: '2026-11-25', status: 'estimated' };
    const sent = { ...payout, reason: null, status: 'confirmed' } as const;
    expect(text(taxCsv([today, earning, scrypt, { ...earning, day: '2026-01-02' }], [sent]))).toEqual([
      'kind,date_utc,sub_account,gross_sat,pool_fee_sat,net_sat,paid_sat,btc_price_usd,usd,status,address,txid',
      'earning,2026-01-02,northfield,1042637,15640,1026997,,96810,994.24,final,,',
      'earning,2026-11-19,northfield,1042647,15641,1027006,,96810,994.24,final,,',
      'payout,2026-11-19T00:31:00.000Z,northfield,,,,5474000,97240,5322.92,confirmed,bc1qggn2,f4184fc5',
    ]);
  });
});
