/**
 * jest's runtime, which compiles each file once for all test files of a worker: V8 keeps what it compiled. Otherwise
 * half of the time until a test file's first test is compiling the same packages and modules again.
 */
const vm = require('node:vm');

const { compileFunction } = vm;

/** @type {Map<string, { code: string, script?: vm.Script, compiled?: Buffer }>} By file name. */
const files = new Map();

/** As `vm.compileFunction`. `import()` is left out: it works in no test, and would keep a test file's modules in memory. */
vm.compileFunction = (code, parameters, options) => {
  const { filename, parsingContext } = options ?? {};
  if (!filename || !parsingContext) return compileFunction(code, parameters, options);
  const head = `(function (${parameters.join(', ')}) {`;
  const compile = (cachedData) =>
    new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length, cachedData });
  const known = files.get(filename);
  let script;
  if (known?.code === code) {
    // Taken when the file is loaded a second time: functions that were called meanwhile are compiled too.
    known.compiled ??= known.script.createCachedData();
    known.script = undefined;
    script = compile(known.compiled);
  } else {
    script = compile();
    files.set(filename, { code, script });
  }
  return script.runInContext(parsingContext);
};

module.exports = require('jest-runtime');
