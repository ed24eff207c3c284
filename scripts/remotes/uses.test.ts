import { usesIn } from './uses';

const CORE = '@pool/shared/ui/core';
const named = [
  `${CORE} · Empty`,
  `${CORE} · PageHeader`,
  `${CORE} · type Tone`,
  'Calls of the API · GET /fees',
  'CSS variables · --pool-gap',
  'Packages · react 19',
  'Texts · common.save',
];
const uses = (code: string, others = '') => usesIn([{ file: 'app.tsx', code }], others, { named, provided: [CORE] });
const ALWAYS = 'Packages · react 19';

test.each([
  [`import { Empty } from '${CORE}';`, ['Empty']],
  [`import { Empty } from "${CORE}";`, ['Empty']],
  [`import React, { useState } from "react";\nimport {\n  Empty as None,\n  type Tone,\n} from "${CORE}"`, ['Empty']],
  [`export { Empty } from '${CORE}';`, ['Empty']],
  [`import { Gone } from '${CORE}';`, ['Gone']],
  [`import * as ui from "${CORE}";\nexport const a = <ui.PageHeader />;`, ['PageHeader']],
  [`export * from "${CORE}";\nconst Empty = 1;`, ['Empty']],
  [`const { PageHeader } = await import("${CORE}");`, ['PageHeader']],
  [`import type { Tone } from '${CORE}';`, []],
  [`import { Row } from '@pool/shared/ui/built-in';`, []],
])('%s', (code, names) => {
  expect(uses(code)).toEqual([...names.map((name) => `${CORE} · ${name}`), ALWAYS].sort());
});

test('a generic arrow function of a file without markup is read', () =>
  expect(usesIn([{ file: 'a.ts', code: 'const of = <T>(x: T): T => x;' }], '', { named, provided: [] })).toEqual([
    ALWAYS,
  ]));

test('calls, texts and variables, in any quotes, in styles and in remote.json', () => {
  expect(uses('api("GET /fees"); t("common.save")')).toEqual([
    'Calls of the API · GET /fees',
    ALWAYS,
    'Texts · common.save',
  ]);
  expect(uses('', '.a { gap: var(--pool-gap) }\n"call": "GET /fees"')).toEqual([
    'CSS variables · --pool-gap',
    'Calls of the API · GET /fees',
    ALWAYS,
  ]);
});
