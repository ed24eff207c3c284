/** The remote in `npm run dev -- <remote> --against <url>`: the shell, which is deployed, shows no problems of builds. */
import './problems';

export * from './remote';
