import { connectionsAllowed } from './open-files';

const limits = (soft: string) =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft}               1048576              files     \nMax locked memory         8388608              8388608              bytes     \n`;

it.each([
  [limits('20512'), 10_000],
  [limits('1048576'), 524_032],
  [limits('64'), 16],
  [limits('unlimited'), Number.MAX_SAFE_INTEGER],
  ['', 10_000],
])('%j allows %d miners', (text, miners) => expect(connectionsAllowed(text)).toBe(miners));

it('reads the limit of this process', () => expect(connectionsAllowed()).toBeGreaterThanOrEqual(16));
