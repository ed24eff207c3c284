import { balance, fakeApi, payoutSettings, problem, renderPage } from '@pool/shared/testing';
import { screen, waitFor } from '@testing-library/react';
import SettingsTab from './settings-tab';

const open = async (more: Parameters<typeof fakeApi>[0] = {}, options: Parameters<typeof renderPage>[1] = {}) => {
  const api = fakeApi({
    'GET /wallet/': { btcAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', history: [] },
    'GET /payoutSettings': payoutSettings,
    'GET /payment/': balance({ paceSat: 100_000 }),
    ...more,
  });
  const page = await renderPage(<SettingsTab />, { api, ...options });
  await screen.findByText(/Payout threshold/);
  const sent = () => api.sent('PUT /payoutSettings');
  return { ...page, sent, threshold: () => screen.getByLabelText('Payout threshold') };
};

test('shows where the account is paid to, its threshold and bounds', async () => {
  const { threshold } = await open();
  expect(await screen.findByText('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')).toBeVisible();
  expect(threshold()).toHaveValue('0.005');
  expect(threshold()).toHaveAccessibleDescription(/0\.0001 to 100 BTC/);
  expect(screen.getByRole('button', { name: 'Save threshold' })).toBeDisabled();
  expect(screen.getByRole('switch', { name: 'Pause payouts' })).not.toBeChecked();
});

test('a threshold is saved in satoshis; what is no amount or outside the bounds is said and nothing is sent', async () => {
  const { user, threshold, sent } = await open({
    'PUT /payoutSettings': ({ body }) => ({ ...payoutSettings, ...body }),
  });
  for (const wrong of ['', '1e3', '0.00009999', '100.00000001']) {
    await user.clear(threshold());
    if (wrong) await user.type(threshold(), wrong);
    await user.click(screen.getByRole('button', { name: 'Save threshold' }));
    expect(threshold()).toBeInvalid();
    expect(screen.getByRole('alert')).toHaveTextContent('Enter an amount between 0.0001 and 100 BTC.');
  }
  expect(sent()).toEqual([]);
  await user.clear(threshold());
  await user.type(threshold(), '0,01{Enter}');
  expect(await screen.findByText('Threshold saved')).toBeVisible();
  expect(sent()).toEqual([{ query: { accountName: 'northfield' }, body: { thresholdSat: 1_000_000 } }]);
});

test('how far the threshold is at this pace is said; where that is years, a nearer one is one click', async () => {
  const near = await open();
  await waitFor(() => expect(near.threshold()).toHaveAccessibleDescription(/At this pace that is about 5 days\.$/));
  expect(screen.queryByRole('button', { name: /^Set it to/ })).toBeNull();
  near.unmount();
  const { user, sent } = await open({
    'GET /payment/': balance({ paceSat: 100 }),
    'PUT /payoutSettings': ({ body }) => ({ ...payoutSettings, ...body }),
  });
  await user.click(await screen.findByRole('button', { name: 'Set it to 0.0001 BTC: about 3 months' }));
  expect(sent()).toEqual([{ query: { accountName: 'northfield' }, body: { thresholdSat: 10_000 } }]);
});

test('payouts are paused; a failure is said and the switch is as it was', async () => {
  let rules = payoutSettings;
  const { user, sent } = await open({
    'GET /payoutSettings': () => rules,
    'PUT /payoutSettings': ({ body }) => {
      if (rules.paused) throw problem(503, 'server_error');
      return (rules = { ...payoutSettings, ...body });
    },
  });
  const pause = screen.getByRole('switch', { name: 'Pause payouts' });
  await user.click(pause);
  expect(await screen.findByText('Payouts paused')).toBeVisible();
  await waitFor(() => expect(pause).toBeChecked());
  expect(sent()).toHaveLength(1);
  await user.click(pause);
  expect(await screen.findByRole('alert')).toHaveTextContent(/could not answer/);
  expect(pause).toBeChecked();
});

test('who only reads changes nothing', async () => {
  await open({ 'GET /payoutSettings': { ...payoutSettings, paused: true } }, { readOnly: true });
  expect(await screen.findByText('Payouts paused')).toBeVisible();
  expect(screen.queryByRole('switch')).toBeNull();
  for (const name of [/Save/, /Change address/]) expect(screen.queryByRole('button', { name })).toBeNull();
});
