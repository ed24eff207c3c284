/** The routes of a remote, read from its `src/routes.tsx` (or `.jsx`): the `<Route>` elements there. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, type JSXAttribute, type JSXElement } from '@swc/core';
import { ROOT } from '../build/files';

const isNode = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The `<Route>` elements in `node` that are not in another one of them. */
function elementsIn(node: unknown): JSXElement[] {
  if (!isNode(node)) return [];
  const { opening } = node as Partial<JSXElement>;
  if (node.type === 'JSXElement' && opening?.name.type === 'Identifier' && opening.name.value === 'Route')
    return [node as unknown as JSXElement];
  return Object.values(node).flatMap(elementsIn);
}

function pathOf(attribute: JSXAttribute | undefined): string {
  if (!attribute) return '';
  if (attribute.value?.type !== 'StringLiteral') throw new Error('the path of a Route has to be a text: path="map"');
  return attribute.value.value;
}

/** `a/b?` below `base`: with and without `b`. */
const expanded = (base: string, own: string): string[] =>
  own.split('/').reduce(
    (paths, segment) => {
      const longer = paths.map((each) => `${each}/${segment.replace(/\?$/, '')}`);
      return segment.endsWith('?') ? [...paths, ...longer] : longer;
    },
    [base],
  );

function pathsIn(base: string, node: unknown): string[] {
  return elementsIn(node).flatMap(({ opening, children }) => {
    const attribute = (name: string) =>
      opening.attributes.find(
        (each): each is JSXAttribute =>
          each.type === 'JSXAttribute' && each.name.type === 'Identifier' && each.name.value === name,
      );
    const own = pathOf(attribute('path'));
    // Matches every other path: the page "not found".
    if (own === '*') return [];
    const paths = own ? expanded(base, own) : [base];
    // A route without a path only wraps others.
    return [...(own || attribute('index') ? paths : []), ...paths.flatMap((at) => pathsIn(at, children))];
  });
}

/** Paths of the routes in `source`, without the base path: empty for the index, `/map/:id`. */
export const routesIn = (source: string): string[] => [
  ...new Set(pathsIn('', parseSync(source, { syntax: 'typescript', tsx: true }))),
];

/** Paths of the routes of `mfe-<name>`, as `routesIn`; throws when they cannot be read. */
export function routesOf(name: string): string[] {
  const files = ['tsx', 'jsx', 'js'].map((ending) => `mfe-${name}/src/routes.${ending}`);
  const file = files.find((each) => existsSync(path.join(ROOT, each))) ?? files[0]!;
  try {
    return routesIn(readFileSync(path.join(ROOT, file), 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

export const pagesBelow = (basePath: `/${string}`, routes: readonly string[]): `/${string}`[] =>
  routes.map((route): `/${string}` => `${basePath}${route}`);
