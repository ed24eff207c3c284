/** Style sheets of a version: a page belongs to all remotes, so each selector is about elements of the remote's own. */
import postcss, { type Rule } from 'postcss';
import parser, { type Node, type Selector } from 'postcss-selector-parser';
import { sourcesIn } from '../build/files';

/** Functions that choose between selectors; in others (`:has`, `:not`) a class says nothing of what is styled. */
const CHOICES = [':is', ':where'];

/** `:has(+ .own)`: an element beside one of the remote's is in the remote too. */
const isBeside = (name: string, { first }: Selector): boolean =>
  name === ':has' && first.type === 'combinator' && /[+~]/.test(first.value);

/** Whether what it styles is, or is in, an element with a class for which `isOwn`, or is that of the rule around it. */
function stays({ nodes }: Selector, isOwn: (name: string) => boolean): boolean {
  const isAbout = (node: Node): boolean =>
    node.type === 'nesting' ||
    (node.type === 'class' && isOwn(node.value)) ||
    (node.type === 'pseudo' &&
      node.nodes.length > 0 &&
      node.nodes.every((each) => stays(each, isOwn) && (CHOICES.includes(node.value) || isBeside(node.value, each))));
  return nodes.some(isAbout);
}

function strayIn(rule: Rule, isOwn: (name: string) => boolean): string[] {
  const { parent } = rule;
  if (parent?.type === 'atrule' && /keyframes$/.test((parent as { name: string } & typeof parent).name)) return [];
  // A selector without `&` is about what is inside the rule around it.
  if (parent?.type === 'rule' && !rule.selector.includes('&')) return [];
  return parser()
    .astSync(rule.selector)
    .nodes.filter((selector) => !stays(selector, isOwn))
    .map((selector) => String(selector).trim());
}

/** Throws with the selectors that reach elements of others. `folder`: of the version. */
export function assertOwnStyles(name: string, folder: string): void {
  const words = new Set(sourcesIn(folder, /\.js$/).flatMap(({ code }) => code.match(/[\w-]+/g) ?? []));
  // Its scripts name the classes that it gives to elements; those of antd are everybody's.
  const isOwn = (word: string): boolean => words.has(word) && !/^(ant|anticon)(-|$)/.test(word);
  const faults = sourcesIn(folder, /\.css$/).flatMap(({ file, code }) => {
    const stray: string[] = [];
    postcss.parse(code).walkRules((rule) => void stray.push(...strayIn(rule, isOwn)));
    return stray.map((selector) => `${file}: '${selector}' is not about elements of this remote alone`);
  });
  if (faults.length > 0) throw new Error(`${name}: each selector needs a class of its own:\n${faults.join('\n')}`);
}
