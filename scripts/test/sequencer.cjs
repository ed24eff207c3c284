/** The order of test files: those first that start the most processes, so that none of them is left at the end. */
const { readFileSync } = require('node:fs');

/** Calls that start processes, each with its weight. */
const STARTS = [
  [/\bteam\(/g, 20],
  [/\b(startCluster|runServer|Product\.start|Cluster\.open)\(/g, 10],
  [/\b(script|run|fork|spawn|openDatabase|embeddedDatabase)\(/g, 1],
];

function weightOf({ path }) {
  const text = readFileSync(path, 'utf8');
  return STARTS.reduce((sum, [call, weight]) => sum + weight * (text.match(call)?.length ?? 0), text.length / 1e5);
}

module.exports = class {
  sort(tests) {
    const weights = new Map(tests.map((test) => [test, weightOf(test)]));
    return [...tests].sort((a, b) => weights.get(b) - weights.get(a));
  }
  allFailedTests(tests) {
    return tests;
  }
  cacheResults() {}
};
