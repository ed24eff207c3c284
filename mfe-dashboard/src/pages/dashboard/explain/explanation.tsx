import { hashrateError } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Measuring, useFormat } from '@pool/shared/ui/core';
import type { Explaining } from './explain';

const SECONDS = { m5: 300, h1: 3600, h24: 86_400 };
type Window = keyof typeof SECONDS;
const isWindow = (what: string): what is Window => Object.hasOwn(SECONDS, what);

/** How a figure is measured, in two or three sentences; of a hashrate with its error now. */
export function Explanation({ what, live }: Explaining) {
  const { t } = useTranslation();
  return (
    <>
      {what === 'm5' && live?.current.measuring !== undefined && (
        <span>
          <Measuring error={live.current.measuring} />.{' '}
        </span>
      )}
      <span>{t(`dashboard.explain.${what}`)}</span>
      {isWindow(what) && live && (
        <span>
          {' '}
          <ErrorBand window={what} live={live} />
        </span>
      )}
    </>
  );
}

type Props = { window: Window; live: NonNullable<Explaining['live']> };

/** The shares of the shorter windows are estimated from those of the day. */
function ErrorBand({ window, live: { current, quality24h, at } }: Props) {
  const { t } = useTranslation();
  const { percent, count, hashrateText } = useFormat();
  const seconds = (of: Window) => Math.min(SECONDS[of], at - (current.minedSince ?? 0));
  const part = current.h24 > 0 ? (current[window] * seconds(window)) / (current.h24 * seconds('h24')) : 0;
  const relative = hashrateError(quality24h.shares * part);
  if (relative === null) return t('dashboard.errorUnknown');
  if (window === 'h24')
    return t('dashboard.errorBand', {
      error: hashrateText(current.h24 * relative),
      percent: percent(relative),
      shares: count(quality24h.shares),
    });
  return t('dashboard.explain.error', {
    error: hashrateText(current[window] * relative),
    percent: percent(relative, relative < 0.1 ? 1 : 0),
  });
}
