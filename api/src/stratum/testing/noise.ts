/** Test helper: lines that are nearly Stratum, from a seed. */
const ODD = [
  'null',
  '1e400',
  '-1',
  '"\\u202e"',
  '{}',
  '[]',
  '[[[[[[]]]]]]',
  'true',
  '""',
  '"__proto__"',
  '{"__proto__":1}',
  '{"constructor":{}}',
  '"\\u0000"',
  '9007199254740993',
  '"ffffffff"',
  '1e-320',
  '"00000001"',
  '"1"',
  '[null]',
  '"'.concat('a'.repeat(300), '"'),
  '["version-rolling"]',
  '0.1',
];

const MINER = [
  '{"id":1,"method":"mining.subscribe","params":["fuzz/1"]}',
  '{"id":2,"method":"mining.authorize","params":["alice.rig","x"]}',
  '{"id":3,"method":"mining.configure","params":[["version-rolling","minimum-difficulty"],' +
    '{"version-rolling.mask":"1fffe000","version-rolling.min-bit-count":2}]}',
  '{"id":4,"method":"mining.submit","params":["alice.rig","1","00000001","65000000","00000001"]}',
  '{"id":5,"method":"mining.submit","params":["alice.rig","1","00000002","65000001","0000000a","00002000"]}',
  '{"id":6,"method":"mining.suggest_difficulty","params":[1]}',
  '{"id":7,"method":"mining.extranonce.subscribe","params":[]}',
  '{"id":8,"result":true,"error":null}',
  '{"id":9,"method":"mining.get_transactions","params":["1"]}',
];

const HASH = '11'.repeat(32);
const POOL = [
  `{"id":null,"method":"mining.notify",` +
    `"params":["j1","${HASH}","aa01","bb02",["${HASH}"],"20000000","1702f128","65000000",true]}`,
  `{"id":null,"method":"mining.notify",` +
    `"params":["j2","${HASH}","aa01","bb02",[],"20000000","1702f128","65000001",false]}`,
  '{"id":null,"method":"mining.set_difficulty","params":[16]}',
  '{"id":null,"method":"mining.set_extranonce","params":["c0ffee",6]}',
  '{"id":null,"method":"mining.set_version_mask","params":["1fffe000"]}',
  '{"id":4,"result":true,"error":null}',
  '{"id":5,"result":null,"error":[21,"stale",null]}',
  '{"id":6,"result":null,"error":{"code":23,"message":"low"}}',
  '{"id":77,"method":"client.get_version","params":[]}',
  '{"id":null,"method":"client.show_message","params":["hello"]}',
  '{"id":null,"method":"client.reconnect","params":["evil.example",1,0]}',
];

export type Noise = () => string;

/**
 * Returns lines without their end: valid ones, ones with an odd value, with broken bytes, empty ones. `wild`: the part
 * that is not nearly valid, `odd`: the part with one odd value.
 */
export function noise(
  side: 'miner' | 'pool',
  random: () => number,
  { wild, odd }: { wild: number; odd: number },
): Noise {
  const valid = side === 'miner' ? MINER : POOL;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const bytes = (max: number): string =>
    String.fromCharCode(
      ...Array.from({ length: Math.floor(random() * max) }, () => Math.floor(random() * 256)),
    ).replaceAll('\n', ' ');
  /** Replaces one value of the line; the rest stays valid. */
  const swapped = (line: string): string => {
    const values = [...line.matchAll(/"[^"]*"|\b\d+\b|null|true/g)].slice(3);
    const value = values.length ? pick(values) : null;
    return value ? line.slice(0, value.index) + pick(ODD) + line.slice(value.index + value[0].length) : line;
  };
  const broken = (line: string): string => {
    const chars = line.split('');
    for (let i = 0; i < 1 + random() * 4; i += 1)
      chars[Math.floor(random() * chars.length)] = String.fromCharCode(Math.floor(random() * 256));
    return chars.join('').replaceAll('\n', ' ');
  };
  return () => {
    const sort = random();
    if (sort >= wild + odd) return pick(valid);
    if (sort >= wild) return swapped(pick(valid));
    const kind = random();
    if (kind < 0.35)
      return pick(valid).replace(
        /\[[^[\]]*\]/,
        () => `[${Array.from({ length: Math.floor(random() * 8) }, () => pick(ODD)).join(',')}]`,
      );
    if (kind < 0.65) return broken(pick(valid));
    if (kind < 0.9) {
      const method = pick([...ODD, '"mining.submit"', '"mining.authorize"', '"mining.notify"']);
      return `{"id":${pick(ODD)},"method":${method},"params":${pick(ODD)}}`;
    }
    return bytes(60);
  };
}
