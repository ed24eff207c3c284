import type { Worker } from '@pool/shared';
import { changeParams, useLocation, useNavigate, useParams, useSearchParams } from '@pool/shared/router';
import type { TableHandle } from '@pool/shared/ui/table';
import { useEffect, useMemo, useRef, type RefObject } from 'react';

export const COMPARABLE = { least: 2, most: 5 };

/** The workers that the URL compares, `?compare=12,15`: none unless so many of them are there. */
export function useCompared(workers: readonly Worker[] | undefined) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const wanted = params.get('compare');
  const compared = useMemo(() => {
    const ids = new Set((wanted ?? '').split(',').map(Number));
    const found = wanted === null ? [] : (workers ?? []).filter(({ id }) => ids.has(id)).slice(0, COMPARABLE.most);
    return found.length < COMPARABLE.least ? [] : found;
  }, [wanted, workers]);
  const go = (ids: readonly number[]) => {
    const next = changeParams(params, { compare: ids.join(',') || null });
    void navigate({ pathname: '../', search: next.toString() });
  };
  return { compared, compare: go, endComparison: () => go([]) };
}

/** Elements that handle arrow keys themselves. */
const HANDLES_ARROWS = 'input, textarea, select, [role="radiogroup"], [role="menu"], [role="dialog"]';
const STEPS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

const linkOf = (id: number) => document.querySelector<HTMLElement>(`[data-worker="${id}"]`);

/** The worker in the URL, and going to its neighbours with buttons or, in the list and the inspector, arrow keys. */
export function useOpened(
  shown: readonly Worker[],
  list: RefObject<TableHandle | null>,
  area: RefObject<HTMLElement | null>,
) {
  const { id } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const openId = id === undefined ? null : Number(id);
  const focusRow = useRef(false);

  const walk = (step: 1 | -1) => {
    const at = shown.findIndex((worker) => worker.id === openId);
    const next = shown[at < 0 ? 0 : at + step];
    if (!next) return;
    focusRow.current =
      document.activeElement instanceof HTMLElement && document.activeElement.dataset.worker !== undefined;
    list.current?.scrollTo(shown.indexOf(next));
    void navigate({ pathname: `../${next.id}`, search }, { replace: true });
  };
  const close = () => {
    const closed = openId;
    void navigate({ pathname: '../', search });
    if (closed !== null) linkOf(closed)?.focus({ preventScroll: true });
  };

  useEffect(() => {
    if (openId === null || !focusRow.current) return;
    focusRow.current = false;
    linkOf(openId)?.focus({ preventScroll: true });
  }, [openId]);

  useEffect(() => {
    if (openId === null) return;
    const press = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target?.closest(HANDLES_ARROWS)) return;
      const step = STEPS[event.key];
      if (event.key === 'Escape') close();
      else if (step && target && (area.current?.contains(target) || target === document.body)) walk(step);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });

  return { openId, walk, close };
}
