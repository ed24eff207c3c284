import { decimal, ERROR, isHex, isHexUpTo, parseLine, readError } from './protocol';

describe('parseLine', () => {
  it.each([
    [
      '{"id":1,"method":"mining.subscribe","params":[]}',
      { kind: 'request', id: 1, method: 'mining.subscribe', params: [] },
    ],
    [
      '{"method":"mining.notify","params":["a"]}',
      { kind: 'request', id: null, method: 'mining.notify', params: ['a'] },
    ],
    ['{"id":"x","method":"mining.submit"}', { kind: 'request', id: 'x', method: 'mining.submit', params: [] }],
    ['{"id":2,"result":true,"error":null}', { kind: 'answer', id: 2, result: true, error: null }],
    ['{"id":2,"error":[21,"Stale",null]}', { kind: 'answer', id: 2, result: undefined, error: [21, 'Stale', null] }],
    ['{"id":2,"result":null}\0', { kind: 'answer', id: 2, result: null, error: null }],
  ])('reads %s', (line, message) => expect(parseLine(line)).toEqual(message));

  it.each([
    '',
    '{',
    '[]',
    '{}',
    '{"id":{},"method":"a"}',
    '{"id":1,"method":"a","params":{}}',
    '{"id":1,"method":5,"result":true}',
    '{"id":true,"result":1}',
  ])('refuses %s', (line) => expect(parseLine(line)).toBeNull());

  it('ignores __proto__ in a line', () => {
    expect(parseLine('{"__proto__":{"method":"mining.submit"},"id":1}')).toBeNull();
  });
});

it.each([
  [1e-7, '0.0000001'],
  [1.5e-5, '0.000015'],
  [0.25, '0.25'],
  [1e12, '1000000000000'],
])('writes a difficulty of %d without an exponent', (difficulty, text) => expect(decimal(difficulty)).toBe(text));

describe('readError', () => {
  it.each([
    [[21, 'Job not found', null], { code: ERROR.stale, message: 'Job not found' }],
    [
      { code: 22, message: 'dup' },
      { code: ERROR.duplicate, message: 'dup' },
    ],
    [[-2, 'odd'], { code: ERROR.other, message: 'odd' }],
    [null, { code: ERROR.other, message: 'Rejected' }],
    // ckpool, and pools that send words in place of codes.
    ['Above target', { code: ERROR.lowDifficulty, message: 'Above target' }],
    ['Stale', { code: ERROR.stale, message: 'Stale' }],
    ['Duplicate', { code: ERROR.duplicate, message: 'Duplicate' }],
    [[-3, 'Job not found'], { code: ERROR.stale, message: 'Job not found' }],
    [[20, 'Low difficulty share', null], { code: ERROR.other, message: 'Low difficulty share' }],
  ])('reads %j', (error, expected) => expect(readError(error)).toEqual(expected));
});

describe('hexadecimal', () => {
  it('counts bytes', () => {
    expect(isHex('00ff', 2)).toBe(true);
    expect(isHex('00FF', 2)).toBe(true);
    expect([isHex('00f', 2), isHex('00fg', 2), isHex(255, 1), isHex(null, 0), isHex('0x00', 2)]).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
  it('limits the length', () => {
    expect([isHexUpTo('', 4), isHexUpTo('0011', 4), isHexUpTo('001', 4), isHexUpTo('0011223344', 4)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
