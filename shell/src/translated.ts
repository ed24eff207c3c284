/**
 * A browser's translator wraps or replaces text nodes, which React then does not find where it put them: without this, a
 * text that comes or goes beside another one ends the page (react/react#17256).
 */
const { insertBefore, removeChild } = Node.prototype;

/** The child of `parent` that has `node` in it now; null: the translator has thrown it away. */
function childWith(parent: Node, node: Node | null): Node | null {
  let child = node;
  while (child && child.parentNode !== parent) child = child.parentNode;
  return child;
}

Node.prototype.removeChild = function removeWrapped<T extends Node>(this: Node, node: T): T {
  const { parentNode } = node;
  if (parentNode) removeChild.call(parentNode, node);
  return node;
};
Node.prototype.insertBefore = function insertBeforeWrapped<T extends Node>(
  this: Node,
  node: T,
  before: Node | null,
): T {
  insertBefore.call(this, node, childWith(this, before));
  return node;
};
