import { WORKER_NAME } from '@pool/shared';
import { useSearchParams } from '@pool/shared/router';
import type { Wish } from './miner-settings';

export const DIFFICULTIES = [64, 512, 4096, 32_768, 262_144, 2_097_152] as const;
const DEFAULT_NAME = 'rig-01';

type State = Wish & { software: string | null };

function read(params: URLSearchParams): State {
  const name = params.get('name') ?? '';
  const difficulty = params.get('d') ?? '';
  return {
    name: WORKER_NAME.test(name) ? name : DEFAULT_NAME,
    difficulty: /^[1-9]\d{0,15}$/.test(difficulty) ? Number(difficulty) : null,
    software: params.get('software'),
  };
}

/** Worker name, difficulty and software: in the URL (`?name=&d=&software=`), so that a setup can be shared. */
export function useWish(): [State, (change: Partial<State>) => void] {
  const [params, setParams] = useSearchParams();
  const change = (part: Partial<State>) =>
    setParams(
      (now) => {
        const { name, difficulty, software } = { ...read(now), ...part };
        const next = new URLSearchParams(now);
        const put = (key: string, value: string | null) => (value === null ? next.delete(key) : next.set(key, value));
        put('name', name === DEFAULT_NAME ? null : name);
        put('d', difficulty === null ? null : String(difficulty));
        put('software', software);
        return next;
      },
      { replace: true },
    );
  return [read(params), change];
}
