import { changeWallet, holdOf, payableAddress, type Wallet } from './wallet-rules';

const HOUR = 3600;
const T = 1_800_000_000;
const at = (seconds: number): Date => new Date(seconds * 1000);
const none: Wallet = { btcAddress: null, addressBefore: null, addressHoldUntil: null };
const paid: Wallet = { ...none, btcAddress: 'A' };
const after = (wallet: Wallet, address: string, when: number): Wallet => {
  const change = changeWallet(wallet, address, when, 72);
  return change.kind === 'none' ? wallet : change.to;
};

describe('a payout address', () => {
  it('pays nothing without an address, and to the first address at once', () => {
    expect(payableAddress(none, T)).toEqual({ state: 'none' });
    expect(changeWallet(none, 'A', T, 72)).toEqual({ kind: 'first', from: null, to: paid });
    expect(payableAddress(paid, T)).toEqual({ state: 'payable', address: 'A' });
  });
  it('is held for 72 h after a change: +71:59 held, +72:00 paid', () => {
    const changed = after(paid, 'B', T);
    expect(payableAddress(changed, T)).toEqual({ state: 'held', until: at(T + 72 * HOUR) });
    expect(payableAddress(changed, T + 72 * HOUR - 60)).toMatchObject({ state: 'held' });
    expect(payableAddress(changed, T + 72 * HOUR)).toEqual({ state: 'payable', address: 'B' });
    expect(holdOf(changed, T)).toEqual({ until: at(T + 72 * HOUR), oldAddress: 'A' });
    expect(holdOf(changed, T + 72 * HOUR)).toBeNull();
  });
  it('restarts the hold with a second change, and keeps the address from before the first', () => {
    const again = after(after(paid, 'B', T), 'C', T + 71 * HOUR);
    expect(again).toEqual({ btcAddress: 'C', addressBefore: 'A', addressHoldUntil: at(T + 143 * HOUR) });
  });
  it('goes back to the previous address without a hold', () => {
    expect(changeWallet(after(paid, 'B', T), 'A', T + HOUR, 72)).toEqual({ kind: 'back', from: 'B', to: paid });
  });
  it('holds a change to the previous address once the first hold has ended', () => {
    expect(changeWallet(after(paid, 'B', T), 'A', T + 72 * HOUR, 72)).toMatchObject({
      kind: 'change',
      to: { btcAddress: 'A', addressBefore: 'B' },
    });
  });
  it('changes nothing when set to the same address, so that a hold is not prolonged', () =>
    expect(changeWallet(after(paid, 'B', T), 'B', T + HOUR, 72)).toEqual({ kind: 'none' }));
});
