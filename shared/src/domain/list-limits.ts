/** Lists of which an answer has the newest entries only; pages say so at the limit (`Newest`). */
export const LIST_LIMITS = { workerEvents: 50, upstreamSwitches: 100, webhookDeliveries: 20, referred: 500 } as const;
