import { ALGORITHMS, type Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { Btc, formatDay, useFormat } from '@pool/shared/ui/core';

export type WaitingDay = NonNullable<Answer<'GET /admin/closing'>['waiting']>;
export type Finding = WaitingDay['findings'][number];

export function FindingText({ finding }: { finding: Finding }) {
  const { t } = useTranslation();
  const { hashrateText, language } = useFormat();
  const day = (at: string, year: boolean) => formatDay(language, 'utc', at, year);
  const { kind, algorithm, name, hashrate, usual, asCounted, grossSat, payable } = finding;
  const values = {
    name,
    algorithm: ALGORITHMS[algorithm].label,
    hashrate: hashrateText(hashrate),
    usual: hashrateText(usual ?? 0),
  };
  if (kind === 'price')
    return (
      <span>
        {name === null
          ? t('admin.closing.price-new', values)
          : t('admin.closing.price', { ...values, day: day(`${name}T00:00:00Z`, true) })}{' '}
        <Btc sats={grossSat} /> · <Link to="/admin/terms">{t('admin.closing.set-price')}</Link>
      </span>
    );
  const more = kind === 'upstream' ? asCounted && '-counted' : usual === null && '-new';
  return (
    <span>
      {t(`admin.closing.${kind}${more || ''}`, values)} <Btc sats={grossSat} />
      {!payable && <span> · {t('admin.closing.more-than-all')}</span>}
    </span>
  );
}
