import { useTranslation } from '@pool/shared/i18n';
import { Button } from '@pool/shared/ui/core';
import { mayOverride, overridden, resetOverrides } from '../remotes/override';
import { Banner } from './banner';

function Shown() {
  const { t } = useTranslation();
  const names = overridden();
  if (names.length === 0) return null;
  const reset = () => {
    resetOverrides();
    location.reload();
  };
  return (
    <Banner tone="info">
      {t('remote.overridden', { names: names.join(', ') })}{' '}
      <Button size="small" onClick={reset}>
        {t('remote.overrideReset')}
      </Button>
    </Banner>
  );
}

export const OverrideBanner = mayOverride ? Shown : () => null;
