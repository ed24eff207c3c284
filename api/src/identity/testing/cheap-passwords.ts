/** Import for its effect: tests make many users, and none of their passwords needs protection. */
import { passwordCost } from '../factors/passwords';

Object.assign(passwordCost, { N: 16, p: 1 });
