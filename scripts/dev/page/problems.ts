/** Shows what is wrong with any build, or with types, over the page until it is mended or hidden. */
import { subscribeAll } from 'pool-hot';
import { clear, showProblems } from 'webpack-dev-middleware/client/overlay';

subscribeAll(({ action, name = '', errors = [] }) => {
  if (errors.length > 0) showProblems('errors', errors, name);
  else if (action !== 'building') clear(name);
});
