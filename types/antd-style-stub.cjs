/** Stands in for the styles of antd's components in unit tests, which take long to make and are in force nowhere. */
const none = () => ['', ''];
module.exports = new Proxy({ __esModule: true, default: none }, { get: (target, key) => target[key] ?? none });
