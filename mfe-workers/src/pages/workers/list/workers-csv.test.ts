import { csvTable, toCsv } from '@pool/shared/ui/core';
import { worker } from '../../../testing/worker';
import { CSV, csvName } from './workers-csv';

const lines = (...workers: Parameters<typeof worker>[0][]) =>
  toCsv(...csvTable(CSV, workers.map(worker)))
    .trim()
    .split('\r\n');

test('raw units and UTC times, one line per worker', () => {
  const [header, row] = lines({
    name: 'a-s19-017',
    state: 'low',
    m5: 55e12 + 0.1234,
    h1: 55.65e12,
    h24: 91.93e12,
    rejectRate: 0.0113,
    staleRate: 0.0031000000001,
    lastShareAt: 1_795_185_086,
    connectedAt: 1_794_982_260,
    address: '10.20.1.7',
  });
  expect(header).toMatch(/^worker,state,group,hashrate_5m_hs/);
  expect(row).toBe(
    'a-s19-017,low,,55000000000000,55650000000000,91930000000000,0.0113,0.0031,27741,65536,2026-11-20T14:31:26.000Z,2026-11-18T06:11:00.000Z,bmminer/2.0.0,10.20.1.7,0.7,false',
  );
});

test('unknown values are empty, not zero', () => {
  expect(lines({ name: 'gone', lastShareAt: null, connectedAt: null, difficulty: null, software: null })[1]).toMatch(
    /27741,,,,,,0\.7,false$/,
  );
});

test('the file name has account, algorithm and day', () => {
  expect(csvName('northfield', 'SCRYPT', new Date('2026-11-20T23:59:00Z'))).toBe(
    'workers-northfield-SCRYPT-2026-11-20.csv',
  );
});
