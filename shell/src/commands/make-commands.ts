import { useTranslation } from '@pool/shared/i18n';
import { useNavigate } from '@pool/shared/router';
import { carry } from '../session/carried-params';

export type Command = {
  id: string;
  group: 'recent' | 'pages' | 'accounts' | 'workers' | 'groups' | 'payouts' | 'users' | 'settings' | 'actions';
  label: string;
  /** Other words that people call it. */
  words?: string;
  /** What is so now, in words. */
  state?: string | undefined;
  /** The server found it by what is typed, whatever its label says. */
  found?: boolean;
  run(): void;
  /** Does not name data of the user: it may be remembered. */
  general: boolean;
};

/** Makers of commands. `carried`: the parameters that stay in the address. */
export function useMakers(carried: string) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const go = (path: string) => () => void navigate(carry<string>(path, carried) as string);
  const general = (group: Command['group'], id: string, label: string, run: () => void): Command => ({
    id,
    group,
    label,
    run,
    general: true,
  });
  /** What people call the thing of a label besides; empty: nothing else. */
  const wordsOf = (label: string) => t(`commands.words.${label}`, { defaultValue: '' });
  return {
    go,
    /** Opens the page of one thing. */
    goTo: (path: string | undefined, id: number | string) => go(path?.replace('{id}', encodeURIComponent(id)) ?? ''),
    general,
    wordsOf,
    /** A page's label behind those of what it is in. */
    trail: (keys: readonly string[]) => keys.map((key) => t(key)).join(' › '),
    /** Names data of the user. */
    own: (group: Command['group'], id: number | string, label: string, run: () => void): Command => ({
      ...general(group, `${group} ${id}`, label, run),
      general: false,
    }),
    page: (path: string, label: string, key = label): Command => ({
      ...general('pages', path, label, go(path)),
      words: wordsOf(key),
    }),
  };
}
export type Makers = ReturnType<typeof useMakers>;
