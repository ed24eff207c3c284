import { connectionsAllowed } from './open-files';

const limits = (soft: string) =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft}               1048576              files     \nMax locked memory         8388608              8388608              bytes     \n`;

it.each([
  [limits('20480'), 8896, 2560],
  [limits('1048576'), 458_688, 131_072],
  [limits('1024'), 256, 384],
  [limits('64'), 16, 384],
  [limits('unlimited'), Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['', 8896, 2560],
])('%j allows %d miners and %d connections of pages', (text, miners, pages) =>
  expect(connectionsAllowed(text)).toEqual({ miners, pages }),
);

it('reads the limit of this process', () => expect(connectionsAllowed().miners).toBeGreaterThanOrEqual(16));
