/**
 * Webpack loader for antd's helper that puts <style> elements into the page. Two of its callers (the scroll lock of
 * drawers and dialogs, the scrollbar measure of tables) pass no CSP nonce, so the browser would refuse their styles.
 * A style without a nonce gets the one of the page's scripts.
 */
const WITHOUT = 'if (csp?.nonce) {\n    styleNode.nonce = csp?.nonce;\n  }';
const WITH = "styleNode.nonce = csp?.nonce ?? document.querySelector('script[nonce]')?.nonce ?? '';";

module.exports = function styleNonce(source) {
  if (!source.includes(WITHOUT))
    throw new Error('@rc-component/util has changed: look at shared/style-nonce-loader.cjs');
  return source.replace(WITHOUT, WITH);
};
