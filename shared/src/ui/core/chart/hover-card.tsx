import { useTranslation } from 'react-i18next';
import type { Series } from '../../../api/schemas';
import { useFormat } from '../format/context';
import { Hashrate, Percent } from '../pieces/number';
import { GUTTER, lossOf, type Model } from './model';
import s from './hover-card.module.css';

/** Time, hashrate and losses of one point, beside the vertical line on the side with more space. */
export function HoverCard({ model, series, index }: { model: Model; series: Series; index: number }) {
  const { t, i18n } = useTranslation();
  const { clock, day, zone } = useFormat();
  const hs = series.accepted[index] ?? null;
  const at = model.timeOf(index);
  const x = model.x(index);
  const onRight = x - GUTTER < model.plotWidth / 2;
  return (
    <div
      className={s.card}
      dir={i18n.dir()}
      style={onRight ? { left: x + 10, top: model.top + 6 } : { right: model.width - x + 10, top: model.top + 6 }}
      aria-hidden="true"
    >
      <div className={s.time}>
        <bdi>{series.step < 86_400 ? `${day(at)}, ${clock(at)} ${zone(at)}` : day(at, true)}</bdi>
      </div>
      {hs === null ? (
        <div>{t('ui.chart.noData')}</div>
      ) : (
        <>
          <div className={s.row}>
            <span>{t('ui.chart.hashrate')}</span>
            <strong>
              <Hashrate hs={hs} />
            </strong>
          </div>
          <div className={s.row}>
            <span>
              <i className={s.loss} />
              {t('ui.chart.loss')}
            </span>
            <Percent rate={lossOf(series)[index]} />
          </div>
        </>
      )}
    </div>
  );
}
