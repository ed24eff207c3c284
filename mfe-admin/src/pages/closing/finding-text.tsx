import { ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, useFormat } from '@pool/shared/ui/core';
import type { Finding } from '../../api/closing';

/** A name keeps its own direction within a sentence. */
export const isolated = (name: string | null): string => `\u2068${name ?? ''}\u2069`;

/** One reason why a day is not plausible, and what it is worth. */
export function FindingText({ finding }: { finding: Finding }) {
  const { t } = useTranslation();
  const { hashrateText } = useFormat();
  const { kind, algorithm, name, hashrate, usual, grossSat, payable } = finding;
  const values = {
    name: isolated(name),
    algorithm: ALGORITHMS[algorithm].label,
    hashrate: hashrateText(hashrate),
    usual: hashrateText(usual ?? 0),
  };
  return (
    <>
      {t(kind !== 'upstream' && usual === null ? `admin.closing.${kind}-new` : `admin.closing.${kind}`, values)}{' '}
      <Btc sats={grossSat} />
      {!payable && <> · {t('admin.closing.more-than-all')}</>}
    </>
  );
}
