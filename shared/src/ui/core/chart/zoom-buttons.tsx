import { ArrowLeft, ArrowRight, X, ZoomIn, ZoomOut } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { move, whole, zoomIn, zoomOut, type Range } from './range';
import s from './series-chart.module.css';

type Props = {
  range: Range;
  last: number;
  /** The row that they stand in, px. */
  place: { top: number; height: number };
  onShow(range: Range): void;
};

/** What dragging over the chart does, for the keyboard and for fingers. */
export default function ZoomButtons({ range, last, place, onShow }: Props): ReactNode {
  const { t } = useTranslation();
  const row = useRef<HTMLDivElement>(null);
  const zoomed = range[1] - range[0] < last;
  const buttons = [
    { name: 'zoomIn', Icon: ZoomIn, next: zoomIn(range, last) },
    { name: 'zoomOut', Icon: ZoomOut, next: zoomOut(range, last) },
    { name: 'earlier', Icon: ArrowLeft, next: move(range, -1, last) },
    { name: 'later', Icon: ArrowRight, next: move(range, 1, last) },
    { name: 'whole', Icon: X, next: whole(last) },
  ];
  return (
    <div
      ref={row}
      role="group"
      aria-label={t('ui.chart.zoom')}
      className={s.zoom}
      style={{ insetBlockStart: place.top, blockSize: place.height }}
    >
      {(zoomed ? buttons : buttons.slice(0, 1)).map(({ name, Icon, next }) => (
        <button
          key={name}
          type="button"
          aria-label={t(`ui.chart.${name}`)}
          title={t(`ui.chart.${name}`)}
          // Not `disabled`: the focus would be lost at the last step.
          aria-disabled={next === null}
          onClick={() => {
            if (!next) return;
            onShow(next);
            // The buttons beside it go.
            if (next[1] - next[0] === last) row.current?.querySelector('button')?.focus();
          }}
        >
          <Icon size={14} />
        </button>
      ))}
    </div>
  );
}
