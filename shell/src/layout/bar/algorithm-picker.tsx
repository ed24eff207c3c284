import { ALGORITHM_NAMES, ALGORITHMS, isAlgorithm, type AlgorithmName } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServiceQuery } from '@pool/shared/remote';
import { Segmented } from '@pool/shared/ui/core';

export type AlgorithmPickerProps = { algorithm: AlgorithmName; chooseAlgorithm(name: AlgorithmName): void };

/** Chooses the algorithm; the known algorithms are shown until the pool's list has loaded. */
export function AlgorithmPicker({ algorithm, chooseAlgorithm }: AlgorithmPickerProps) {
  const { t } = useTranslation();
  const { data } = useServiceQuery(({ api }) => ({
    queryKey: ['algorithms'],
    queryFn: ({ signal }) => api('GET /algorithms/', { signal }),
    staleTime: Infinity,
  }));
  const names = data?.map(({ name }) => name) ?? ALGORITHM_NAMES;
  return (
    <Segmented
      aria-label={t('algorithm.choose')}
      value={algorithm}
      options={names.map((name) => ({ value: name, label: ALGORITHMS[name].label }))}
      onChange={(value) => isAlgorithm(value) && chooseAlgorithm(value)}
    />
  );
}
