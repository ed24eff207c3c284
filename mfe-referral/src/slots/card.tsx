import { useTranslation } from '@pool/shared/i18n';
import { defineSlot, PageLink } from '@pool/shared/remote';
import { Btc, Facts, useFormat } from '@pool/shared/ui/core';
import { useStats } from '../api/lists';

/** What the invited miners bring. Nothing for a user who has invited nobody. */
function Card() {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { data } = useStats();
  if (!data || data.referred === 0) return null;
  return (
    <Facts
      rows={[
        { label: t('referral.available'), value: <Btc short={data.availableSat === 0} sats={data.availableSat} /> },
        {
          label: t('referral.referred'),
          value: <PageLink page="referral.overview">{count(data.referred)}</PageLink>,
        },
        { label: `${t('referral.active')} (${t('referral.active-hint')})`, value: count(data.active) },
      ]}
    />
  );
}

export const { bootstrap, mount, update, unmount } = defineSlot(Card);
