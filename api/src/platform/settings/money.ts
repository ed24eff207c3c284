import { DEFAULT_FEE_PERCENT } from '@pool/shared/domain';
import { number, setting, webAddress, whole } from './kinds';

const txUrl = webAddress.refine(
  (url) => url.includes('{txid}'),
  'expected an address with {txid}: https://explorer.example/tx/{txid}',
);
export const money = {
  POOL_FEE_PERCENT: setting(
    number({ max: 100 }),
    'Pool fee in percent of the gross, for users without one of their own.',
    { example: '2', preset: String(DEFAULT_FEE_PERCENT) },
  ),
  REFERRAL_PERCENT: setting(number({ max: 100 }), 'Percent of the pool fee that referrers get.', {
    example: '20',
    preset: '10',
  }),
  REFERRAL_MONTHS: setting(
    whole({ max: 1200 }),
    'Months after the activation of their code during which they get it.',
    { example: '6', preset: '12' },
  ),
  WALLET_HOLD_HOURS: setting(
    number({ min: 1, max: 720 }),
    'Hours during which nothing is paid after a change of the payout address.',
    { example: '24', preset: '72' },
  ),
  PAYOUT_WAIT_HOURS: setting(
    number({ max: 720 }),
    'Payments approved within so many hours are a run; a large run is sent only after these hours, and any admin can stop it. 0: never.',
    { example: '12', preset: '6' },
  ),
  PAYOUT_RUN_BTC: setting(number({ max: 21_000_000 }), 'A run above so many BTC is a large one.', {
    example: '0.5',
    preset: '1',
  }),
  PRICE_URL: setting(
    webAddress,
    'JSON with the day\'s prices, read every ten minutes: {"btcPriceUsd": 97240, "prices": {"SHA256_ASICBOOST": 0.00049, "SCRYPT": 0.0092}}, BTC per PH/s and per TH/s a day.',
    { example: 'https://prices.example/today.json', without: 'admins set prices by hand' },
  ),
  NETWORK_FEED_URL: setting(
    webAddress,
    "A server with mempool's REST API: the network's difficulty and the estimate of its next change are on the public page of prices.",
    { example: 'https://mempool.example', without: 'nothing is shown of the network' },
  ),
  EXPLORER_TX_URL: setting(txUrl, 'A transaction at your block explorer: payouts link to it.', {
    example: 'https://explorer.example/tx/{txid}',
    without: 'no links',
  }),
};
