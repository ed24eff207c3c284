/** `GET /earnings/{day}/math`: the figures one earning was computed from. 404 while its day is not closed. */
import type { AlgorithmName, Answer } from '@pool/shared';
import { useServiceQuery } from '@pool/shared/remote';

export type EarningMath = Answer<'GET /earnings/{day}/math'>;
export const useEarningChanges = (day: string, account: string, algorithm?: AlgorithmName) =>
  useServiceQuery(({ api }) => ({
    queryKey: ['payments', 'changes', { account, algorithm, day }],
    queryFn: ({ signal }) =>
      api('GET /earnings/{day}/changes', { params: { day }, query: { accountName: account, algorithm }, signal }),
  }));
export type EarningKey = { day: string; account: string; algorithm: AlgorithmName };

export const useEarningMath = ({ day, account, algorithm }: EarningKey) =>
  useServiceQuery(({ api }) => ({
    queryKey: ['payments', 'math', { account, algorithm, day }],
    queryFn: ({ signal }) =>
      api('GET /earnings/{day}/math', { params: { day }, query: { accountName: account, algorithm }, signal }),
  }));
