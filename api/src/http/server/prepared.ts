/** A response that is serialised JSON already: made once for many requests. */
import { contract, type Call, type Contract } from '@pool/shared/api/contract';
import type { z } from 'zod';

export class Prepared {
  constructor(readonly json: string) {}
}

export const prepare = <C extends Call>(call: C, answer: z.input<Contract[C]['response']>): Prepared =>
  new Prepared(JSON.stringify(contract[call].response.parse(answer)));
