import { balance, type FakeAnswers, fakeApi, refusing, renderPage, savedFiles } from '@pool/shared/testing';
import { useLocation } from '@pool/shared/router';
import { screen, waitFor, within } from '@testing-library/react';
import { earning, earningChanges, earningMath, history, months } from '../../../testing/answers';
import { PaymentsPage } from '../payments-page';
import { differences, recompute } from './recompute';

const DAYS = [earning(), earning({ day: '2026-11-19', status: 'final' })];
const Address = () => <output>{useLocation().search}</output>;
const open = (more: FakeAnswers = {}, path = '/payments/') =>
  renderPage(
    <>
      <PaymentsPage />
      <Address />
    </>,
    {
      path,
      session: { account: 'northfield' },
      api: fakeApi({
        'GET /payment/': balance(),
        'GET /homePrice/': { price: 97_240, at: null, stale: false },
        'GET /earnings/monthly': months(),
        'GET /paymentsHistory/': history(DAYS),
        'GET /earnings/{day}/math': earningMath(),
        'GET /earnings/{day}/changes': earningChanges,
        ...more,
      }),
    },
  );
const drawer = () => screen.findByRole('dialog', { name: 'SHA256, 19 Nov 2026' });

test('a closed day shows how its earning was computed, computed again to the same figures; a day that goes on does not', async () => {
  const { api, user } = await open();
  const buttons = await screen.findAllByRole('button', { name: /^Show the calculation/ });
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Show the calculation, 19 Nov 2026, SHA256',
  ]);
  await user.click(buttons[0] as HTMLElement);
  const steps = await within(await drawer()).findByRole('list', { name: 'Calculation' });
  expect(document.querySelector('output')).toHaveTextContent('?math=2026-11-19.SHA256_ASICBOOST.northfield');
  expect(api.calls.find(({ call }) => call === 'GET /earnings/{day}/math')).toMatchObject({
    options: { params: { day: '2026-11-19' }, query: { accountName: 'northfield', algorithm: 'SHA256_ASICBOOST' } },
  });
  expect(await drawer()).toHaveTextContent('Checked: your browser gets the same figures.');
  expect(steps).toHaveTextContent('Gross0.01046640 BTC21.36 PH/s × 0.00049 BTC = 1046640');
  expect(steps).toHaveTextContent('Pool fee0.00015700 BTC1,046,640 sat × 1.50 %');
  expect(steps).toHaveTextContent('Referral, from the fee0.00001570 BTC15,700 sat × 10.00 %');
  expect(steps).toHaveTextContent('Net0.01030940 BTC1,046,640 − 15,700 = 1,030,940 sat');
  expect(steps).toHaveTextContent('Net, at the day’s price$1,002');
  await user.click(within(await drawer()).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(document.querySelector('output')).toBeEmptyDOMElement());
});

test('its address opens it; a figure that differs is said, with both numbers to take along', async () => {
  const saved = savedFiles();
  const path = '/payments/?math=2026-11-19.SHA256_ASICBOOST.northfield';
  const { user } = await open({ 'GET /earnings/{day}/math': earningMath({ netSat: 1_030_941 }) }, path);
  expect(await drawer()).toHaveTextContent('1 figure differs');
  expect(within(await drawer()).getAllByText('differs')).toHaveLength(1);
  await user.click(within(await drawer()).getByRole('button', { name: 'Download as JSON' }));
  expect(JSON.parse(await saved.text())).toMatchObject({
    netSat: 1_030_941,
    recomputed: { netSat: 1_030_940 },
    differences: ['netSat'],
  });
});

test('a day without an earning is an error of the drawer, not of the page', async () => {
  const missing = refusing(404, 'not_found');
  await open({ 'GET /earnings/{day}/math': missing }, '/payments/?math=2026-11-19.SHA256_ASICBOOST.northfield');
  expect(await within(await drawer()).findByRole('alert')).toBeInTheDocument();
  expect(await screen.findByRole('table', { name: 'Earnings per day' })).toBeInTheDocument();
});

test('why a closed day differs is one line per cause, above the earnings in one click and in its computation', async () => {
  const { user } = await open();
  const summary = await screen.findByText('Why did it change?');
  expect(summary.parentElement).toHaveTextContent('19 Nov: −10,000 sats−1.00 % · Why did it change?');
  await user.click(summary);
  const rows = () => screen.getAllByRole('row', { name: /^(Hashrate|Uptime|Price|Difference) / });
  expect(rows().map((row) => row.textContent?.replace(/\s/g, ' '))).toEqual([
    'Hashrate−15,000 sats−1.50 %—',
    'Price+5,000 sats+0.50 %—',
    'Uptime—+10,000 sats+1.02 %',
    'Difference−10,000 sats−1.00 %+10,000 sats+1.02 %',
  ]);
  await user.click((await screen.findAllByRole('button', { name: /^Show the calculation/ }))[0] as HTMLElement);
  expect(await within(await drawer()).findByRole('row', { name: /^Difference / })).toBeVisible();
});

describe('the computation', () => {
  test('every figure of an earning follows from its work, price and terms', () => {
    const math = earningMath();
    expect(recompute(math)).toMatchObject({
      measuredHashrate: 21.36e15,
      meanHashrate: 21.36e15,
      computedGrossSat: 1_046_640,
      grossSat: 1_046_640,
      feeSat: 15_700,
      netSat: 1_030_940,
      referralSat: 1_570,
      poolSat: 14_130,
    });
    expect(differences(math)).toEqual([]);
  });

  test("a newcomer's hashrate is adjusted; an admin's correction replaces the computed amount", () => {
    const newcomer = earningMath({ newcomer: { adjustPercent: 10, poolPriceBtc: 0.0004 } });
    expect(recompute(newcomer).meanHashrate).toBeCloseTo(23.496e15, -3);
    const note = 'clock was wrong';
    const adjustments = [{ at: '2026-11-21T08:00:00.000Z', grossSatBefore: 1_046_640, grossSat: 900_000, note }];
    const adjusted = earningMath({
      adjustments,
      grossSat: 900_000,
      feeSat: 13_500,
      netSat: 886_500,
      referralSat: 1_350,
    });
    expect(recompute(adjusted)).toMatchObject({ computedGrossSat: 1_046_640, grossSat: 900_000, netSat: 886_500 });
    expect(differences({ ...adjusted, poolSat: 12_150 })).toEqual([]);
  });

  test('a satoshi more or less is a difference', () => {
    expect(differences(earningMath({ netSat: 1_030_941 }))).toEqual(['netSat']);
    expect(differences(earningMath({ work: 1 }))).toEqual([
      'measuredHashrate',
      'meanHashrate',
      'exactGrossSat',
      'computedGrossSat',
      'grossSat',
      'feeSat',
      'netSat',
      'referralSat',
      'poolSat',
    ]);
  });

  test.each([
    [1, 50, 1],
    [3, 50, 2],
    [199, 0.5, 1],
    [100, 0.4, 0],
  ])('of %d sat a fee of %d %% is %d sat', (gross, percent, fee) => {
    const note = 'as in the test';
    const adjustments = [{ at: '2026-11-21T08:00:00.000Z', grossSatBefore: 1, grossSat: gross, note }];
    expect(recompute(earningMath({ adjustments, feePercent: percent })).feeSat).toBe(fee);
  });
});
