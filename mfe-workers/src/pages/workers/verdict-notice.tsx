import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServices } from '@pool/shared/remote';
import { Notice, useFormat, useNow } from '@pool/shared/ui/core';
import { useWorkerEvents } from '../../api/worker-events';
import { verdictOf, type Verdict } from './verdict';

const TONES = { online: 'info', low: 'warn', offline: 'bad', inactive: 'info' } as const;

/** The verdict on a worker in two sentences: its condition, then the reason. */
export function VerdictNotice({ worker }: { worker: Worker }) {
  const { t } = useTranslation();
  const events = useWorkerEvents(worker.id).data;
  const [what, why] = useSentences(verdictOf(worker, useServices().session.algorithm, events));
  const say = ({ key, values = {} }: Sentence) => t(key, values);
  return (
    <Notice tone={TONES[worker.state]} state={worker.state}>
      <strong>{say(what)}</strong> {say(why)}
    </Notice>
  );
}

type Sentence = { key: string; values?: Readonly<Record<string, string>> };

function useSentences(verdict: Verdict): [Sentence, Sentence] {
  const { percent, clock, count, difficulty, zone, duration, moment } = useFormat();
  const now = useNow();
  const key = `workers.verdict.${verdict.key}`;
  switch (verdict.key) {
    case 'tooHard':
      return [
        { key, values: { times: count(Number(verdict.times.toPrecision(2))) } },
        { key: `${key}More`, values: { difficulty: difficulty(verdict.difficulty) } },
      ];
    case 'silent':
      return [
        { key, values: { duration: duration(now - verdict.lastShareAt, 2) } },
        { key: `${key}More`, values: { moment: moment(verdict.lastShareAt) } },
      ];
    case 'back':
      return [{ key, values: { time: `${clock(verdict.since)} ${zone(verdict.since)}` } }, { key: `${key}More` }];
    case 'steady':
    case 'low': {
      const limit = percent(verdict.limit, 0);
      const since = verdict.since;
      const why: Sentence =
        since === null
          ? { key: `${key}More`, values: { limit } }
          : { key: `${key}Since`, values: { limit, time: `${clock(since)} ${zone(since)}` } };
      return [{ key, values: { percent: percent(verdict.fraction, 1) } }, why];
    }
    default:
      return [{ key }, { key: `${key}More` }];
  }
}
