import { hashrateUnit, unitScale, type HashrateUnit, type Worker } from '@pool/shared';
import { Hashrate, Hint, Measuring, useMinedSince, useNow } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';

/** Null (unknown, not zero) for a current hashrate of 0 of a worker that is not online. */
const knownHashrate = (worker: Worker, window: 'm5' | 'h1' | 'h24'): number | null =>
  worker[window] === 0 && (window !== 'h24' || worker.state === 'inactive') && worker.state !== 'online'
    ? null
    : worker[window];

type Props = { worker: Worker; window: 'm5' | 'h1' | 'h24'; unit?: HashrateUnit };

/** A hashrate in the column's unit, which the heading shows; a value too small for it shows its own unit. */
export function WorkerHashrate({ worker, window, unit }: Props) {
  const hs = knownHashrate(worker, window);
  if (!unit || hs === null || hs === 0) return <Hashrate hs={hs} bare={unit !== undefined} />;
  const fits = hs >= 0.1 * unitScale(unit);
  const shown = fits ? <Hashrate hs={hs} unit={unit} bare /> : <Hashrate hs={hs} unit={hashrateUnit(hs)} />;
  if (window !== 'm5' && worker.minedSince !== undefined)
    return (
      <SinceHint minedSince={worker.minedSince} window={window}>
        {shown}
      </SinceHint>
    );
  if (window !== 'm5' || worker.measuring === undefined) return shown;
  return (
    <Hint text={<Measuring error={worker.measuring} />}>
      <bdi dir="ltr">≈ {shown}</bdi>
    </Hint>
  );
}

type SinceHintProps = { minedSince: number; window: 'h1' | 'h24'; children: ReactNode };

/** Hint for a worker in its first day: since when it mines. Its mean is of the account's time, as all of them. */
function SinceHint({ minedSince, window, children }: SinceHintProps) {
  const since = useMinedSince()(minedSince, window, useNow());
  return since === null ? children : <Hint text={since}>{children}</Hint>;
}
