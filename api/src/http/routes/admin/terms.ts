import { ALGORITHM_NAMES } from '@pool/shared/domain';
import { termHistory, termOn, type PoolTerm } from '../../../money/accounting/terms';
import { previewTerm } from '../../../money/accounting/terms-preview';
import { dayOf } from '../../../platform/days';
import { REFERRAL_THRESHOLD_SAT, referralTerms } from '../../../money/referral/referral';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { oneValue } from '../../../platform/db/querier';

const NAMES: readonly PoolTerm[] = ['pool_fee', 'newbee_cost', 'newbee_adjust'];

export function termsRoutes({ pool, config, stratum, now }: Deps) {
  const defaultThreshold = (): Promise<number> =>
    oneValue<number>(pool)`
      select column_default::bigint from information_schema.columns
      where table_schema = 'public' and table_name = 'sub_account' and column_name = 'threshold_sat'`;
  return {
    'GET /admin/terms': async () => {
      const referral = await referralTerms(pool, dayOf(now()));
      return {
        terms: await Promise.all(
          NAMES.map(async (name) => ({
            name,
            value: (await termOn(pool, name, dayOf(now()), name === 'pool_fee' ? config.POOL_FEE_PERCENT : 0)).value,
            history: await termHistory(pool, name),
          })),
        ),
        operator: {
          walletHoldHours: config.WALLET_HOLD_HOURS,
          defaultThresholdSat: await defaultThreshold(),
          referralPercent: referral.ratePercent,
          referralMonths: referral.months,
          referralThresholdSat: REFERRAL_THRESHOLD_SAT,
          upstreams: ALGORITHM_NAMES.flatMap((name) =>
            stratum.upstreams().flatMap(({ algorithm, url }) => (algorithm === name ? { algorithm, url } : [])),
          ),
        },
      };
    },
    'GET /admin/terms/preview': ({ query: { name, value } }) => previewTerm(pool, name, value),
  } satisfies Partial<Handlers>;
}
