import { problemOf } from './errors';

const coded = (message: string, code: string): Error => Object.assign(new Error(message), { code });

describe('errors as problems', () => {
  it.each([
    ['a refused connection', coded('connect ECONNREFUSED', 'ECONNREFUSED'), 503, 'database_unavailable'],
    ['a database that shuts down', coded('terminating connection', '57P01'), 503, 'database_unavailable'],
    ['a connection that is cut', new Error('Query read timeout'), 503, 'database_unavailable'],
    ['no room on its disk', coded('could not extend file', '53100'), 503, 'database_unavailable'],
    [
      'no open files left',
      Object.assign(coded('connect', 'EMFILE'), { syscall: 'connect' }),
      503,
      'database_unavailable',
    ],
    ['a password that changed', coded('password authentication failed', '28P01'), 503, 'database_unavailable'],
    ['a file that is not there', Object.assign(coded('open', 'ENOENT'), { syscall: 'open' }), 500, 'server_error'],
    ['a query that took too long', coded('canceling statement due to statement timeout', '57014'), 503, 'timeout'],
    ['a deadlock', coded('deadlock detected', '40P01'), 503, 'timeout'],
    [
      'the same inside another error',
      new Error('Failed query', { cause: coded('canceling statement', '57014') }),
      503,
      'timeout',
    ],
    ['half a surrogate pair in a text', coded('invalid input syntax for type json', '22P02'), 400, 'invalid_request'],
    ['anything else', new Error('secret detail'), 500, 'server_error'],
  ])('%s', (_, error, status, code) => {
    const problem = problemOf(error as never);
    expect([problem.status, problem.code]).toEqual([status, code]);
    expect(JSON.stringify(problem.extra)).not.toContain('secret');
  });
});
